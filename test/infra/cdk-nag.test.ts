import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, it } from 'vitest';
import { CONFIGURATION, createStack } from './synthesis.ts';

const findings = (stack: ReturnType<typeof createStack>): readonly string[] =>
  new AwsSolutionsChecks().validateScope(stack).violations.map(({ ruleName, violatingResources }) => `${ruleName} ${violatingResources.map((each) => each.constructPath).join(' ')}`);

describe('AwsSolutions of cdk-nag', () => {
  it('finds nothing that is not acknowledged with its reason', () => {
    expect(findings(createStack())).toEqual([]);
  });

  it("finds nothing either with somebody else's issuer and an alarm topic", () => {
    const sign_in = { issuer: 'https://login.example.com', audience: ['countersign'] };
    expect(findings(createStack({ ...CONFIGURATION, sign_in, alarm_topic_arn: 'arn:aws:sns:eu-west-1:111122223333:on-call' }))).toEqual([]);
  });
});
