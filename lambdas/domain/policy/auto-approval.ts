// The named lists of tools that run unattended by default, each only where the workspace has what makes it harmless.
// The preconditions are facts of the workspace's registry entry, never fields of a call.
import type { Workspace } from '../registry.ts';

export type Precondition = 'sandbox' | 'network_access' | 'search_backend' | 'browser_backend';

export interface AutoApproval {
  readonly policy_id: string;
  readonly tools: readonly string[];
  readonly needs: Precondition;
}

export const AUTO_APPROVAL: readonly AutoApproval[] = [
  { policy_id: 'sandbox.workspace.v1', tools: ['run_command', 'write_file', 'edit_file'], needs: 'sandbox' },
  { policy_id: 'network.workspace.v1', tools: ['web_fetch', 'fetch_image'], needs: 'network_access' },
  { policy_id: 'search.workspace.v1', tools: ['web_search'], needs: 'search_backend' },
  { policy_id: 'browser.workspace.v1', tools: ['browser'], needs: 'browser_backend' },
];

export function preconditionOf(workspace: Workspace, needs: Precondition): boolean {
  switch (needs) {
    case 'sandbox':
      return workspace.sandbox !== undefined;
    case 'network_access':
      return workspace.network_access;
    case 'search_backend':
      return workspace.search_backend !== undefined;
    case 'browser_backend':
      return workspace.browser_backend !== undefined;
  }
}
