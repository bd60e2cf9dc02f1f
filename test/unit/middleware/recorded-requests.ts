// Requests in the shape that AWS documents for HTTP APIs, payload format 2.0, written out whole: what the middleware
// must read is compared with these, not with what a gateway of ours makes (case 196).
import type { HttpEvent } from '../../../lambdas/middleware/http-function.ts';

const shared = {
  version: '2.0',
  stageVariables: { stage: 'prod' },
  isBase64Encoded: false,
};

/** A person\u2019s token, verified by the JWT authorizer. All claims arrive as text. */
export const withToken: unknown = {
  ...shared,
  routeKey: 'POST /api/operations/{id}/decisions',
  rawPath: '/api/operations/op_00000000000000000000000000000001/decisions',
  rawQueryString: '',
  cookies: ['theme=dark', 'session=none'],
  headers: {
    accept: '*/*',
    authorization: 'Bearer eyJhbGciOiJSUzI1NiJ9.e30.c2ln',
    'content-length': '98',
    'content-type': 'application/json',
    host: 'abc123.execute-api.eu-central-1.amazonaws.com',
    'user-agent': 'curl/8.5.0',
    'x-amzn-trace-id': 'Root=1-65e0a000-0000000000000000deadbeef',
    'x-forwarded-for': '192.0.2.1',
    'x-forwarded-port': '443',
    'x-forwarded-proto': 'https',
  },
  requestContext: {
    accountId: '123456789012',
    apiId: 'abc123',
    authorizer: {
      jwt: {
        claims: { aud: 'countersign', exp: '1793613600', groups: '[finance ops]', iat: '1793610000', iss: 'https://issuer.example', sub: 'ana', token_use: 'access' },
        scopes: ['decide'],
      },
    },
    domainName: 'abc123.execute-api.eu-central-1.amazonaws.com',
    domainPrefix: 'abc123',
    http: { method: 'POST', path: '/api/operations/op_00000000000000000000000000000001/decisions', protocol: 'HTTP/1.1', sourceIp: '192.0.2.1', userAgent: 'curl/8.5.0' },
    requestId: 'JKJaXmPLvHcESHA=',
    routeKey: 'POST /api/operations/{id}/decisions',
    stage: '$default',
    time: '02/Nov/2026:09:00:00 +0000',
    timeEpoch: 1793610000000,
  },
  pathParameters: { id: 'op_00000000000000000000000000000001' },
  body: '{"arguments_hash":"sha256:0000000000000000000000000000000000000000000000000000000000000000","decision":"approve"}',
};

/** A machine\u2019s signed request, verified by the IAM authorizer. */
export const withSignature: unknown = {
  ...shared,
  routeKey: 'POST /agent/operations',
  rawPath: '/agent/operations',
  rawQueryString: '',
  headers: {
    accept: '*/*',
    authorization: 'AWS4-HMAC-SHA256 Credential=ASIAEXAMPLE/20261102/eu-central-1/execute-api/aws4_request, SignedHeaders=host;x-amz-date, Signature=00',
    'content-length': '120',
    'content-type': 'application/json',
    host: 'abc123.execute-api.eu-central-1.amazonaws.com',
    'x-amz-date': '20261102T090000Z',
    'x-amz-security-token': 'IQoJb3JpZ2luX2VjEXAMPLE',
  },
  requestContext: {
    accountId: '123456789012',
    apiId: 'abc123',
    authorizer: {
      iam: {
        accessKey: 'ASIAEXAMPLE',
        accountId: '123456789012',
        callerId: 'AROAEXAMPLE:i-0abc',
        cognitoIdentity: null,
        principalOrgId: 'o-example',
        userArn: 'arn:aws:sts::123456789012:assumed-role/billing-bot/i-0abc',
        userId: 'AROAEXAMPLE:i-0abc',
      },
    },
    domainName: 'abc123.execute-api.eu-central-1.amazonaws.com',
    domainPrefix: 'abc123',
    http: { method: 'POST', path: '/agent/operations', protocol: 'HTTP/1.1', sourceIp: '192.0.2.2', userAgent: 'aws-sdk-js/3' },
    requestId: 'JKJaXmPLvHcESHB=',
    routeKey: 'POST /agent/operations',
    stage: '$default',
    time: '02/Nov/2026:09:00:00 +0000',
    timeEpoch: 1793610000000,
  },
  body: '{"tool":"refund_payment","arguments":{"amount":5},"scope":{"workspace_id":"w1","agent_id":"billing-bot"}}',
};

/** A route without authorizer, or one whose credential was not asked for. */
export const withNothing: unknown = {
  ...shared,
  routeKey: 'GET /review/{id}',
  rawPath: '/review/op_00000000000000000000000000000001',
  rawQueryString: '',
  headers: { accept: 'text/html', host: 'abc123.execute-api.eu-central-1.amazonaws.com' },
  requestContext: {
    accountId: '123456789012',
    apiId: 'abc123',
    domainName: 'abc123.execute-api.eu-central-1.amazonaws.com',
    domainPrefix: 'abc123',
    http: { method: 'GET', path: '/review/op_00000000000000000000000000000001', protocol: 'HTTP/1.1', sourceIp: '192.0.2.3', userAgent: 'Mozilla/5.0' },
    requestId: 'JKJaXmPLvHcESHC=',
    routeKey: 'GET /review/{id}',
    stage: '$default',
    time: '02/Nov/2026:09:00:00 +0000',
    timeEpoch: 1793610000000,
  },
  pathParameters: { id: 'op_00000000000000000000000000000001' },
};

export function recorded(request: unknown, change: Readonly<Record<string, unknown>> = {}): HttpEvent {
  return { ...(structuredClone(request) as HttpEvent), ...change };
}

/** The same request with another authorizer context. */
export function authorizedBy(request: unknown, authorizer: unknown): HttpEvent {
  const event = recorded(request);
  return { ...event, requestContext: { ...event.requestContext, authorizer } as HttpEvent['requestContext'] };
}
