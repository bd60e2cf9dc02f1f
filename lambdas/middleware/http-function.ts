// The frame around every HTTP handler: security headers, nothing cached, faults told without their insides, one
// log line an answer.
import middy from '@middy/core';
import httpSecurityHeaders from '@middy/http-security-headers';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { isFault } from '../domain/faults.ts';
import type { Log } from '../ports/system.ts';
import { faultReply, type HttpReply } from './reply.ts';

export type HttpEvent = APIGatewayProxyEventV2;
export type Respond = (event: HttpEvent) => Promise<HttpReply>;
export type HttpHandler = (event: HttpEvent) => Promise<HttpReply>;

export interface HttpFrame {
  readonly log: Log;
  /** CSP sources of the pages' own style sheet, as `'sha256-…'`. APIs need none. */
  readonly styleSources?: string;
  /** How a fault is told. Without it as a problem document; pages answer browsers with a page. */
  readonly onFault?: (retryable: boolean, request_id: string) => HttpReply;
}

const NOT_KEPT = { 'cache-control': 'no-store', 'x-robots-tag': 'noindex' } as const;

/** What middy hands its middlewares, as far as these look at it. */
interface Framed {
  readonly event: HttpEvent;
  response?: HttpReply | null;
  readonly error?: Error | null;
}

export function httpFunction({ log, styleSources, onFault = faultReply }: HttpFrame, respond: Respond): HttpHandler {
  const handler = middy<HttpEvent, HttpReply>()
    .use(
      httpSecurityHeaders({
        contentSecurityPolicy: contentSecurityPolicy(styleSources),
        frameOptions: { action: 'deny' },
        referrerPolicy: { policy: 'no-referrer' },
        reportTo: false,
        // The default list names features that browsers no longer know, and each page would complain of them.
        permissionsPolicy: false,
        originAgentCluster: false,
      }),
    )
    .use({
      after: ({ event, response }: Framed) => {
        if (response === null || response === undefined) return;
        response.headers = { ...response.headers, ...NOT_KEPT };
        log.write('CS9001', { request_id: event.requestContext.requestId, route: event.routeKey, http_status: response.statusCode ?? 200 });
      },
      onError: (request: Framed) => {
        const { requestId } = request.event.requestContext;
        log.write('CS9002', { request_id: requestId, route: request.event.routeKey, fault: isFault(request.error) ? request.error.name : 'unexpected' });
        request.response = onFault(isFault(request.error) && request.error.retryable, requestId);
        request.response.headers = { ...request.response.headers, ...NOT_KEPT };
      },
    })
    .handler(respond);
  return async (event) => (await (handler as unknown as (event: HttpEvent, context: object) => Promise<HttpReply>)(event, {}));
}

/** One function behind an API route and a page: `/api/…` and `/agent/…` speak JSON, everything else is a page. */
export function byRoute({ page, api }: { readonly page: HttpHandler; readonly api: HttpHandler }): HttpHandler {
  return (event) => (/^\S+ \/(?:api|agent)\//.test(event.routeKey) ? api(event) : page(event));
}

function contentSecurityPolicy(styleSources: string | undefined): Record<string, string> {
  return {
    'default-src': "'none'",
    'base-uri': "'none'",
    'form-action': "'self'",
    'frame-ancestors': "'none'",
    // A page may post its form as itself, and do nothing else: not even a script that slipped in could run.
    'report-to': '',
    sandbox: styleSources === undefined ? '' : 'allow-forms allow-same-origin',
    ...(styleSources === undefined ? {} : { 'style-src': styleSources }),
  };
}
