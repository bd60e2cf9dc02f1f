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

export function problem(refusal: Refusal): HttpReply {
  const body = problemOf(refusal);
  return { statusCode: body.status, headers: { 'content-type': 'application/problem+json' }, body: JSON.stringify(body) };
}

export function problemOf({ code, detail, more }: Refusal) {
  return { ...more, type: `urn:countersign:refusal:${code}`, title: code.replaceAll('_', ' '), status: REFUSAL_STATUS[code], code, detail };
}

export function faultReply(retryable: boolean, request_id: string): HttpReply {
  const body = faultProblem(retryable, request_id);
  return {
    statusCode: body.status,
    headers: { 'content-type': 'application/problem+json', ...(retryable ? { 'retry-after': '1' } : {}) },
    body: JSON.stringify(body),
  };
}

/** Of a fault the outside learns that it happened, and the id to ask about. */
export function faultProblem(retryable: boolean, request_id: string) {
  const title = retryable ? 'Not recorded; try again' : 'Something broke; nothing claims success';
  return { type: 'about:blank', title, status: retryable ? 503 : 500, request_id };
}
