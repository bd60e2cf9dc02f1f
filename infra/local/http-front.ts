// Stands where API Gateway's HTTP API stands: matches the same routes, verifies who asks, and hands each handler the
// same version 2 event. Loopback only, and only under its own name, so that no web page can reach it by rebinding.
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { HttpEvent, HttpHandler } from '../../lambdas/middleware/http-function.ts';
import type { HttpReply } from '../../lambdas/middleware/reply.ts';
import { LIMITS } from '../../lambdas/domain/limits.ts';
import { ROUTES, type FunctionName, type Route } from '../routes.ts';
import { authorizerContext, namedGroups, namedIdentity } from './identity.ts';
import { signInPage } from './sign-in.ts';

const PATTERNS = ROUTES.map((route) => ({ route, pattern: new URLPattern({ pathname: route.path.replaceAll(/\{(\w+)\}/g, ':$1') }) }));
/** What the front itself takes in before it stops reading; the handlers' own limit is lower. */
const MOST_BYTES = 6 * 1024 * 1024;

export interface FrontOptions {
  readonly port: number;
  readonly functions: Readonly<Partial<Record<FunctionName, HttpHandler>>>;
  readonly people: readonly string[];
}

export function httpFront({ functions, people, ...options }: FrontOptions): Server {
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => {
      if (!response.headersSent) response.writeHead(500).end();
      else response.destroy();
    });
  });
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : options.port;
    if (![`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`].includes(request.headers.host ?? '')) { send(response, notHere(421)); return; }
    const url = new URL(`http://localhost${request.url ?? '/'}`);
    // Browsers ask for it unasked; a 404 for each page would only clutter their consoles.
    if (url.pathname === '/favicon.ico') { send(response, { statusCode: 204 }); return; }
    const body = await readBody(request);
    if (body === undefined) { send(response, notHere(413)); return; }
    const local = await signInPage(request.method ?? 'GET', url, body, people);
    if (local !== undefined) { send(response, local); return; }
    const matched = match(request.method ?? 'GET', url);
    if (matched === undefined) { send(response, notHere(404)); return; }
    const handler = functions[matched.route.function];
    if (handler === undefined) { send(response, notHere(404)); return; }
    const event = gatewayEvent(request, url, body, matched);
    const reply = await handler(event);
    const mustSignIn = reply.statusCode === 401 && matched.route.authorization === 'page' && request.method === 'GET';
    send(response, mustSignIn ? { statusCode: 303, headers: { location: `/sign-in?next=${encodeURIComponent(url.pathname)}` } } : reply);
  };
  return server;
}

interface Match {
  readonly route: Route;
  readonly pathParameters: Readonly<Record<string, string>>;
}

function match(method: string, url: URL): Match | undefined {
  for (const { route, pattern } of PATTERNS) {
    if (route.method !== method) continue;
    const groups = pattern.exec({ pathname: url.pathname })?.pathname.groups;
    if (groups !== undefined) return { route, pathParameters: Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decoded(value ?? '')])) };
  }
  return undefined;
}

/** HTTP API hands path parameters over decoded once; what does not decode matches no id. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}

function gatewayEvent(request: IncomingMessage, url: URL, body: Buffer, { route, pathParameters }: Match): HttpEvent {
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : (value ?? '')]));
  const requestContext = {
    accountId: '000000000000',
    apiId: 'local',
    domainName: headers['host'] ?? '',
    domainPrefix: 'local',
    http: { method: route.method, path: url.pathname, protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: headers['user-agent'] ?? '' },
    requestId: randomUUID(),
    routeKey: `${route.method} ${route.path}`,
    stage: '$default',
    time: new Date().toUTCString(),
    timeEpoch: Date.now(),
    ...authorizerContext(namedIdentity(headers, route.authorization), route.authorization, namedGroups(headers)),
  };
  const query = Object.fromEntries(url.searchParams);
  return {
    version: '2.0',
    routeKey: requestContext.routeKey,
    rawPath: url.pathname,
    rawQueryString: url.search.slice(1),
    headers,
    ...(Object.keys(query).length === 0 ? {} : { queryStringParameters: query }),
    pathParameters,
    requestContext,
    // Always base64, so that bytes which are not UTF-8 arrive as the bytes that they are.
    ...(body.length === 0 ? { isBase64Encoded: false } : { body: body.toString('base64'), isBase64Encoded: true }),
  };
}

async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function send(response: ServerResponse, reply: HttpReply): void {
  const headers = Object.fromEntries(Object.entries(reply.headers ?? {}).map(([name, value]) => [name, String(value)]));
  response.writeHead(reply.statusCode ?? 200, reply.cookies === undefined ? headers : { ...headers, 'set-cookie': reply.cookies });
  response.end(reply.body ?? '');
}

function notHere(statusCode: number): HttpReply {
  const message = { 404: 'Not Found', 413: `A body may hold ${LIMITS.body_bytes} bytes.`, 421: 'This server answers only under its own loopback address.' }[statusCode];
  return { statusCode, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ message }) };
}
