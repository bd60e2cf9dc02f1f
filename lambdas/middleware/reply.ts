// HTTP replies, made in one place: JSON, pages, redirects, and refusals as RFC 9457 problem documents.
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { REFUSAL_STATUS, type Refusal } from '../domain/refusals.ts';

export type HttpReply = APIGatewayProxyStructuredResultV2;

export function json(status: number, body: unknown): HttpReply {
  return { statusCode: status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

export function page(status: number, html: string): HttpReply {
  return { statusCode: status, headers: { 'content-type': 'text/html; charset=utf-8' }, body: html };
}

/** After a form was taken: the browser gets the page anew, and a reload repeats nothing. */
export function seeOther(location: string): HttpReply {
  return { statusCode: 303, headers: { location } };
}

export function problem({ code, detail, more }: Refusal): HttpReply {
  const status = REFUSAL_STATUS[code];
  const title = code.replaceAll('_', ' ');
  return {
    statusCode: status,
    headers: { 'content-type': 'application/problem+json' },
    body: JSON.stringify({ ...more, type: `urn:countersign:refusal:${code}`, title, status, code, detail }),
  };
}

/** Of a fault the outside learns that it happened, and the id to ask about. */
export function faultReply(retryable: boolean, request_id: string): HttpReply {
  const status = retryable ? 503 : 500;
  const title = retryable ? 'Not recorded; try again' : 'Something broke; nothing claims success';
  return {
    statusCode: status,
    headers: { 'content-type': 'application/problem+json', ...(retryable ? { 'retry-after': '1' } : {}) },
    body: JSON.stringify({ type: 'about:blank', title, status, request_id }),
  };
}
