// Every HTTP route, once: the HTTP API of the stack and the local front are both made from this list.
// `iam`: machines sign their requests. `jwt`: people's programs bring a token. `page`: cookie session or link.

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** API Gateway notation: `{id}` is one path segment. */
  readonly path: string;
  readonly function: FunctionName;
  readonly authorization: 'iam' | 'jwt' | 'page';
}

export type FunctionName =
  | 'submit-operation'
  | 'read-operation'
  | 'decide-operation'
  | 'cancel-operation'
  | 'renew-lease'
  | 'list-inbox'
  | 'show-pages'
  | 'show-full-view'
  | 'reveal-arguments'
  | 'manage-policies'
  | 'manage-directory'
  | 'explain-policy'
  | 'list-tools'
  | 'park-task-token'
  | 'run-tool'
  | 'settle-operation'
  | 'relay-events'
  | 'seed-registry';

export const ROUTES: readonly Route[] = [
  { method: 'POST', path: '/agent/operations', function: 'submit-operation', authorization: 'iam' },
  { method: 'GET', path: '/agent/operations/{id}', function: 'read-operation', authorization: 'iam' },
  { method: 'GET', path: '/agent/operations/{id}/events', function: 'read-operation', authorization: 'iam' },
  { method: 'POST', path: '/agent/operations/{id}/cancel', function: 'cancel-operation', authorization: 'iam' },
  { method: 'POST', path: '/agent/operations/{id}/renew', function: 'renew-lease', authorization: 'iam' },
  { method: 'GET', path: '/agent/runs/{run_id}', function: 'read-operation', authorization: 'iam' },
  { method: 'POST', path: '/agent/runs/{run_id}/cancel', function: 'cancel-operation', authorization: 'iam' },
  { method: 'GET', path: '/agent/tools', function: 'list-tools', authorization: 'iam' },
  { method: 'GET', path: '/api/policies/{scope}', function: 'manage-policies', authorization: 'jwt' },
  { method: 'PUT', path: '/api/policies/{scope}', function: 'manage-policies', authorization: 'jwt' },
  { method: 'DELETE', path: '/api/policies/{scope}', function: 'manage-policies', authorization: 'jwt' },
  { method: 'GET', path: '/api/agents/{id}/tools/{tool}', function: 'manage-policies', authorization: 'jwt' },
  { method: 'PUT', path: '/api/agents/{id}/tools/{tool}', function: 'manage-policies', authorization: 'jwt' },
  { method: 'GET', path: '/api/directory', function: 'manage-directory', authorization: 'jwt' },
  { method: 'GET', path: '/api/directory/{subject}', function: 'manage-directory', authorization: 'jwt' },
  { method: 'PUT', path: '/api/directory/{subject}', function: 'manage-directory', authorization: 'jwt' },
  { method: 'DELETE', path: '/api/directory/{subject}', function: 'manage-directory', authorization: 'jwt' },
  { method: 'GET', path: '/api/delegations', function: 'manage-directory', authorization: 'jwt' },
  { method: 'PUT', path: '/api/delegations', function: 'manage-directory', authorization: 'jwt' },
  { method: 'DELETE', path: '/api/delegations', function: 'manage-directory', authorization: 'jwt' },
  { method: 'POST', path: '/api/policies/explain', function: 'explain-policy', authorization: 'jwt' },
  { method: 'POST', path: '/api/policies/simulate', function: 'explain-policy', authorization: 'jwt' },
  { method: 'GET', path: '/api/inbox', function: 'list-inbox', authorization: 'jwt' },
  { method: 'GET', path: '/api/operations', function: 'list-inbox', authorization: 'jwt' },
  { method: 'GET', path: '/api/operations/{id}', function: 'read-operation', authorization: 'jwt' },
  { method: 'GET', path: '/api/operations/{id}/events', function: 'read-operation', authorization: 'jwt' },
  { method: 'POST', path: '/api/operations/{id}/decisions', function: 'decide-operation', authorization: 'jwt' },
  { method: 'POST', path: '/api/operations/{id}/extend', function: 'decide-operation', authorization: 'jwt' },
  { method: 'POST', path: '/api/operations/{id}/break-glass', function: 'decide-operation', authorization: 'jwt' },
  { method: 'POST', path: '/api/operations/{id}/break-glass/review', function: 'decide-operation', authorization: 'jwt' },
  { method: 'POST', path: '/api/decisions', function: 'decide-operation', authorization: 'jwt' },
  { method: 'GET', path: '/api/operations/{id}/full', function: 'show-full-view', authorization: 'jwt' },
  { method: 'POST', path: '/api/operations/{id}/reveal', function: 'reveal-arguments', authorization: 'jwt' },
  { method: 'POST', path: '/api/operations/{id}/cancel', function: 'cancel-operation', authorization: 'jwt' },
  { method: 'GET', path: '/inbox', function: 'show-pages', authorization: 'page' },
  { method: 'GET', path: '/policies', function: 'explain-policy', authorization: 'page' },
  { method: 'POST', path: '/policies', function: 'explain-policy', authorization: 'page' },
  { method: 'GET', path: '/review/{id}', function: 'show-pages', authorization: 'page' },
  { method: 'POST', path: '/review/{id}', function: 'decide-operation', authorization: 'page' },
  { method: 'POST', path: '/review/{id}/extend', function: 'decide-operation', authorization: 'page' },
  { method: 'POST', path: '/review/{id}/break-glass', function: 'decide-operation', authorization: 'page' },
  { method: 'POST', path: '/review/{id}/break-glass/review', function: 'decide-operation', authorization: 'page' },
  { method: 'GET', path: '/review/{id}/full', function: 'show-full-view', authorization: 'page' },
  { method: 'POST', path: '/review/{id}/reveal', function: 'reveal-arguments', authorization: 'page' },
];
