// The HTTP API, made from the list of routes: each has the one authorizer that its callers can satisfy.
// No CORS: pages are served from here, and programs are not browsers.
import { Validations } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import { HttpApi as Api, HttpMethod, HttpNoneAuthorizer, HttpStage, LogGroupLogDestination, type IHttpRouteAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpIamAuthorizer, HttpJwtAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { Construct } from 'constructs';
import type { Configuration } from '../config.ts';
import { ROUTES, type FunctionName, type Route } from '../routes.ts';
import type { Functions } from './functions.ts';
import { createLogGroup } from './log-groups.ts';
import type { SignIn } from './sign-in.ts';

/** Enough to count and to find the function's own lines. Paths and queries may hold links; an address is a person's. */
const ACCESS_LOG = {
  request_id: '$context.requestId',
  time: '$context.requestTimeEpoch',
  route: '$context.routeKey',
  status: '$context.status',
  latency_ms: '$context.responseLatency',
  response_bytes: '$context.responseLength',
  error: '$context.error.responseType',
  integration_status: '$context.integrationStatus',
} as const;

/** Requests a second over all callers: far above what approvals need, far below what would cost. */
const THROTTLE = { rateLimit: 100, burstLimit: 200 } as const;

export class HttpApi extends Construct {
  readonly api: Api;
  readonly #integrations = new Map<FunctionName, HttpLambdaIntegration>();

  constructor(scope: Construct, id: string, configuration: Configuration, functions: Functions, signIn: SignIn) {
    super(scope, id);
    this.api = new Api(this, 'Api', { description: 'Countersign', createDefaultStage: false });
    new HttpStage(this, 'Stage', {
      httpApi: this.api,
      stageName: '$default',
      autoDeploy: true,
      throttle: THROTTLE,
      accessLogSettings: { destination: new LogGroupLogDestination(createLogGroup(this, 'AccessLog', configuration)), format: AccessLogFormat.custom(JSON.stringify(ACCESS_LOG)) },
    });
    const authorizers: Readonly<Record<Route['authorization'], IHttpRouteAuthorizer>> = {
      iam: new HttpIamAuthorizer(),
      jwt: new HttpJwtAuthorizer('People', signIn.issuer, { jwtAudience: [...signIn.audience] }),
      page: new HttpNoneAuthorizer(),
    };
    for (const route of ROUTES) this.#addRoute(route, functions, authorizers[route.authorization]);
  }

  #addRoute(route: Route, functions: Functions, authorizer: IHttpRouteAuthorizer): void {
    const routes = this.api.addRoutes({ path: route.path, methods: [HttpMethod[route.method]], integration: this.#integrationOf(route.function, functions), authorizer });
    if (route.authorization !== 'page') return;
    const reason = 'API Gateway knows no authorizer for a cookie session or a link: the function proves the visitor and answers 401 without.';
    for (const each of routes) Validations.of(each).acknowledge({ id: 'AwsSolutions-APIG4', reason });
  }

  /** One integration per function, however many routes lead to it. */
  #integrationOf(name: FunctionName, functions: Functions): HttpLambdaIntegration {
    const known = this.#integrations.get(name) ?? new HttpLambdaIntegration(name, functions[name]);
    this.#integrations.set(name, known);
    return known;
  }
}
