import { describe, expect, it } from 'vitest';
import { ROUTES, type Route } from '../../infra/routes.ts';
import { CONFIGURATION, functionId, only, readable, resourcesOf, synthesise } from './synthesis.ts';

const template = synthesise();
const AUTHORIZATION: Readonly<Record<Route['authorization'], string>> = { iam: 'AWS_IAM', jwt: 'JWT', page: 'NONE' };

describe('the routes', () => {
  it('are those of the list, each with its authorizer and its function', () => {
    const integrations = resourcesOf(template, 'AWS::ApiGatewayV2::Integration');
    const deployed = Object.values(resourcesOf(template, 'AWS::ApiGatewayV2::Route')).map(({ Properties }) => {
      const target = Object.entries(integrations).find(([id]) => JSON.stringify(Properties.Target).includes(`"${id}"`))?.[1];
      return `${String(Properties.RouteKey)} ${String(Properties.AuthorizationType)} ${readable(target?.Properties.IntegrationUri)}`;
    });
    expect(deployed.sort()).toEqual(ROUTES.map((route) => `${route.method} ${route.path} ${AUTHORIZATION[route.authorization]} ${functionId(route.function)}`).sort());
  });

  it('leave no catch-all route and answer no cross-origin request', () => {
    const keys = Object.values(resourcesOf(template, 'AWS::ApiGatewayV2::Route')).map(({ Properties }) => String(Properties.RouteKey));
    expect(keys.filter((key) => key.startsWith('ANY') || key.includes('+') || key === '$default')).toEqual([]);
    expect(only(template, 'AWS::ApiGatewayV2::Api').Properties).not.toHaveProperty('CorsConfiguration');
  });

  it('are throttled', () => {
    expect(only(template, 'AWS::ApiGatewayV2::Stage').Properties.DefaultRouteSettings).toEqual({ ThrottlingRateLimit: 100, ThrottlingBurstLimit: 200 });
  });
});

describe('the access log', () => {
  it('holds neither path nor query nor address nor identity', () => {
    const { Format } = only(template, 'AWS::ApiGatewayV2::Stage').Properties.AccessLogSettings as { readonly Format: string };
    expect(Object.values(JSON.parse(Format) as Readonly<Record<string, string>>).sort()).toEqual([
      '$context.error.responseType',
      '$context.integrationStatus',
      '$context.requestId',
      '$context.requestTimeEpoch',
      '$context.responseLatency',
      '$context.responseLength',
      '$context.routeKey',
      '$context.status',
    ]);
  });
});

describe('the tokens of people', () => {
  it("come from the stack's own user pool when the configuration names no issuer", () => {
    const { JwtConfiguration } = only(template, 'AWS::ApiGatewayV2::Authorizer').Properties as { readonly JwtConfiguration: { readonly Issuer: unknown; readonly Audience: readonly unknown[] } };
    expect(readable(JwtConfiguration.Issuer)).toBe('SignInPeople');
    expect(JwtConfiguration.Audience.map(readable)).toEqual(['SignInPeopleClient']);
  });

  it('come from a pool where nobody signs up alone and everybody has a second factor', () => {
    expect(only(template, 'AWS::Cognito::UserPool').Properties).toMatchObject({
      AdminCreateUserConfig: { AllowAdminCreateUserOnly: true },
      MfaConfiguration: 'ON',
      EnabledMfas: ['SOFTWARE_TOKEN_MFA'],
      Policies: { PasswordPolicy: { MinimumLength: 14, RequireLowercase: true, RequireNumbers: true, RequireSymbols: true, RequireUppercase: true } },
      DeletionProtection: 'ACTIVE',
    });
  });

  it('come from the named issuer, and then there is no pool', () => {
    const own = synthesise({ ...CONFIGURATION, sign_in: { issuer: 'https://login.example.com', audience: ['countersign'] } });
    expect(only(own, 'AWS::ApiGatewayV2::Authorizer').Properties.JwtConfiguration).toEqual({ Issuer: 'https://login.example.com', Audience: ['countersign'] });
    expect(resourcesOf(own, 'AWS::Cognito::UserPool')).toEqual({});
    expect(Object.keys(own.findOutputs('*'))).not.toContain('UserPoolId');
  });
});

describe('the outputs', () => {
  it('say what an operator and a subscriber need', () => {
    expect(Object.keys(template.findOutputs('*')).sort()).toEqual(['ApiUrl', 'EventBusName', 'StateMachineArn', 'UserPoolId']);
  });
});
