// Where a posted form came from, as the browser itself says it: no script of another site can set these headers.
// The form token is the lock; this is the second bolt.

/** @param headers lower-case names, as API Gateway passes them on. */
export function isCrossSite(headers: Readonly<Record<string, string | undefined>>): boolean {
  const site = headers['sec-fetch-site'];
  const origin = headers.origin;
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  // Under `Referrer-Policy: no-referrer` browsers send `Origin: null` with our own forms too (Fetch, "append a request
  // `Origin` header"), so that null is good only beside the browser's word that the origins are the same.
  if (origin === 'null') return site !== 'same-origin';
  return origin !== undefined && !isOriginOf(origin, headers.host);
}

function isOriginOf(origin: string, host: string | undefined): boolean {
  if (host === undefined || !URL.canParse(origin)) return false;
  const url = new URL(origin);
  return url.origin === origin && url.host === host.toLowerCase();
}
