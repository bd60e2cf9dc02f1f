// What this deployment is: who vouches for people, which programs may propose calls, and which tools exist.
// `npx cdk synth` refuses a wrong value and names its field. Replace the placeholders before the first deployment.
import type { ConfigurationInput } from './infra/config.ts';

const configuration: ConfigurationInput = {
  // 'retain' keeps tables, keys, logs and users when the stack is deleted; 'destroy' is for trying things out.
  removal: 'retain',
  log_retention_days: 90,

  // Without `sign_in` the stack makes a Cognito user pool. To bring your own identity provider:
  // sign_in: { issuer: 'https://login.example.com', audience: ['countersign'] },

  // How many operations one agent may have waiting for people in one workspace, up to 1000.
  // max_pending_per_agent: 100,

  // A claim of people's tokens that names groups; only groups whose directory entry says `from_claim` are taken from it.
  // groups_claim: { claim: 'cognito:groups', max_age_seconds: 3600 },

  // Where alarms are told; without it they only show in CloudWatch.
  // alarm_topic_arn: 'arn:aws:sns:eu-west-1:111122223333:on-call',

  // Where policy begins; afterwards administrators change it through /api/policies. The examples of policies/ show more.
  policies: [
    {
      scope: 'workspace:w1',
      document: { rules: [{ id: 'approvals', target: 'tool:request_approval', effect: 'ask', approvers: ['user:ana'], timeout_seconds: 4 * 3600 }] },
    },
  ],

  registry: {
    workspaces: [{ id: 'w1', org_id: 'example' }],

    programs: [
      {
        subject: 'agent:billing-bot',
        // The role that the agent runs as, without its path. It also needs `execute-api:Invoke` on the API's /agent routes.
        principals: ['iam:arn:aws:iam::111122223333:role/billing-bot'],
        agent_ids: ['billing-bot'],
        workspaces: ['w1'],
        // Whose agent it is. This person never counts as an approver of what it proposes.
        owner: 'user:olga',
      },
    ],

    people: [
      {
        subject: 'user:ana',
        // `iss` and `sub` of the person's token. For the stack's own user pool:
        // oidc:https://cognito-idp.<region>.amazonaws.com/<UserPoolId>#<sub of the user>
        principals: ['oidc:https://login.example.com#ana'],
        administrator: true,
      },
      { subject: 'user:olga', principals: ['oidc:https://login.example.com#olga'] },
    ],

    tools: [
      {
        // Nothing runs: the agent asks, a person answers.
        name: 'request_approval',
        version: '1',
        consequence: 'change',
      },
      // A tool that Countersign runs itself once it is approved. Only functions named here may be invoked:
      // {
      //   name: 'refund_payment',
      //   version: '1',
      //   consequence: 'irreversible',
      //   risk: { level: 'high', reasons: ['Moves money'] },
      //   executor: { function: 'arn:aws:lambda:eu-west-1:111122223333:function:refund-payment' },
      //   display: { critical: ['/customer_id', '/amount', '/currency'] },
      // },
    ],
  },
};

export default configuration;
