import { describe } from 'vitest';
import { tellStories } from '../../../support/domain-stories.ts';
import { approve, askingWith, at, cancel, deny, DIRECTORY, extend, instant, propose, wait, actor } from '../../../support/operation-builder.ts';
import { LIMITS } from '../../../../lambdas/domain/limits.ts';

const ASKED = [at(0, propose({ policy: askingWith({ approvers: ['user:ana', 'user:olga', 'group:finance'], extendable_to_seconds: 7200 }) }))];
const PLAIN = [at(0, propose())];
const OFTEN = [...ASKED, ...Array.from({ length: LIMITS.extensions }, (_, index) => at(60 + index, extend('user:ana', 3601 + index)))];

describe('more time', () => {
  tellStories([
    { tells: 'is given by an approver, and says from when to when', given: ASKED, when: at(60, extend('user:ana', 5400, { comment: 'after lunch', channel: 'api' })), then: { appends: 'approval.extended', with: { actor: actor('user:ana'), channel: 'api', until_now: instant(3600), expires_at: instant(5400), comment: 'after lunch' }, then: 'pending' } },
    { tells: 'may be as much as policy allows, counted from the request', given: ASKED, when: at(60, extend('user:ana', 7200)), then: { appends: 'approval.extended', then: 'pending' } },
    { tells: 'may not be a second more', given: ASKED, when: at(60, extend('user:ana', 7201)), then: { refuses: 'extension_not_allowed' } },
    { tells: 'is not to be had where policy says nothing of it', given: PLAIN, when: at(60, extend('user:ana', 3601)), then: { refuses: 'extension_not_allowed' } },
    { tells: 'sent twice is given once', given: [...ASKED, at(60, extend('user:ana', 5400))], when: at(61, extend('user:ana', 5400)), then: 'nothing changes' },
    { tells: 'cannot be less time', given: ASKED, when: at(60, extend('user:ana', 3599)), then: { refuses: 'invalid_request', saying: { more: { field: 'expires_at' } } } },
    { tells: 'is given once more, as long as it is within the same bound', given: [...ASKED, at(60, extend('user:ana', 5400))], when: at(4000, extend('user:ben', 7200)), then: { appends: 'approval.extended', then: 'pending' } },
    { tells: `is given ${LIMITS.extensions} times and not once more`, given: OFTEN, when: at(200, extend('user:ana', 7000)), then: { refuses: 'extension_not_allowed' } },
    { tells: 'makes a vote count that would have come too late', given: [...ASKED, at(60, extend('user:ana', 5400))], when: at(5399, approve('user:ana')), then: { appends: 'approval.granted', then: 'granted' } },
    { tells: 'ends at its new deadline', given: [...ASKED, at(60, extend('user:ana', 5400))], when: at(5400, approve('user:ana')), then: { refuses: 'operation_expired' } },
    { tells: 'lets nothing expire before', given: [...ASKED, at(60, extend('user:ana', 5400))], when: at(5399.999, wait()), then: 'nothing changes' },
    { tells: 'comes too late at the deadline, though no timer has fired', given: ASKED, when: at(3600, extend('user:ana', 5400)), then: { refuses: 'operation_expired' } },
    { tells: 'revives nothing that expired', given: [...ASKED, at(3600, wait())], when: at(3601, extend('user:ana', 5400)), then: { refuses: 'operation_expired' } },
    { tells: 'revives nothing that was denied', given: [...ASKED, at(60, deny('user:ana'))], when: at(70, extend('user:ana', 5400)), then: { refuses: 'already_decided' } },
    { tells: 'revives nothing that was cancelled', given: [...ASKED, at(60, cancel('user:olga'))], when: at(70, extend('user:ana', 5400)), then: { refuses: 'already_decided' } },
    { tells: 'is not for the owner to give', given: ASKED, when: at(60, extend('user:olga', 5400)), then: { refuses: 'own_operation' } },
    { tells: 'is not for a stranger to give', given: ASKED, when: at(60, extend('user:mallory', 5400)), then: { refuses: 'not_an_approver' } },
    { tells: 'is not for a program to give', given: ASKED, when: at(60, extend('user:ana', 5400, { kind: 'agent' })), then: { refuses: 'not_an_approver' } },
    { tells: 'is not for somebody who left the group', given: ASKED, when: at(60, extend('user:ben', 5400, { directory: { ...DIRECTORY, 'group:finance': ['user:fay'] } })), then: { refuses: 'not_an_approver' } },
  ]);
});
