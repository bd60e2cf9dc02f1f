// Stops the product at any effect it has on the world: just before it, or just after it and before anybody learns of it.
// `crash` is a process that ends there and then: nothing that this invocation still does has any effect, whatever it
// catches. `fault` is one call that fails as `Unavailable` in a process that lives on. Effects are counted over all
// invocations of a run, so that one loop over the count visits every point there is.
import { Fault } from '../../lambdas/domain/faults.ts';

export interface CrashPoint {
  /** 1 is the first effect of the run. */
  readonly effect: number;
  readonly moment: 'before' | 'after';
  readonly kind: 'crash' | 'fault';
}

export class Crashed extends Error {
  override readonly name = 'Crashed';
}

/** Everything that changes anything outside the process, by the name of the port's method. */
const EFFECTS: ReadonlySet<string> = new Set([
  'append',
  'change',
  'markRelayed',
  'putArguments',
  'putResult',
  'parkToken',
  'claimCall',
  'claimSame',
  'join',
  'leave',
  'leaveAll',
  'beginRun',
  'cancelRun',
  'beginLease',
  'renewLease',
  'endLease',
  'replace',
  'publish',
  'start',
  'succeed',
  'fail',
  'invoke',
]);
/** The port whose `write` is an effect; that of the log is none. */
const VIEWS = 'views';
/** What lives in the process itself. */
const NOT_PORTS: ReadonlySet<string> = new Set(['clock', 'ids', 'log', 'conditions']);

export interface Injector {
  /** The same ports as one invocation of a function sees them. */
  invocation<P extends object>(ports: P): P;
  /** Effects so far, each as `port.method`. */
  readonly seen: readonly string[];
  readonly struck: () => boolean;
}

export function injector(point?: CrashPoint): Injector {
  const seen: string[] = [];
  let struck = false;
  const invocation = <P extends object>(ports: P): P => {
    let dead = false;
    const strike = (): never => {
      struck = true;
      if (point?.kind === 'fault') throw new Fault('Unavailable', 'a call that failed by plan');
      dead = true;
      throw new Crashed();
    };
    const around = async (effect: string | undefined, work: () => unknown): Promise<unknown> => {
      if (dead) throw new Crashed();
      if (effect === undefined) return work();
      const mine = seen.push(effect) === point?.effect;
      if (mine && point.moment === 'before') strike();
      const result = await work();
      if (mine) strike();
      return result;
    };
    return Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, NOT_PORTS.has(name) ? port : watched(name, port as object, around)])) as P;
  };
  return { invocation, seen, struck: () => struck };
}

type Around = (effect: string | undefined, work: () => unknown) => Promise<unknown>;

function watched(name: string, port: object, around: Around): object {
  return new Proxy(port, {
    get: (target, method) => {
      const member: unknown = Reflect.get(target, method);
      if (typeof member !== 'function' || typeof method !== 'string') return member;
      const isEffect = EFFECTS.has(method) || (name === VIEWS && method === 'write');
      return (...args: unknown[]) => around(isEffect ? `${name}.${method}` : undefined, () => Reflect.apply(member, target, args) as unknown);
    },
  });
}

/** Every point of a run that had so many effects. */
export function crashPoints(effects: number, kinds: readonly CrashPoint['kind'][] = ['crash', 'fault']): readonly CrashPoint[] {
  const numbers = Array.from({ length: effects }, (_, index) => index + 1);
  return numbers.flatMap((effect) => (['before', 'after'] as const).flatMap((moment) => kinds.map((kind) => ({ effect, moment, kind }))));
}

/** Lets one method of a double behave otherwise, given what it did before; answers how to have it as it was. */
export function instead<P extends object, M extends keyof P>(port: P, method: M, behaviour: (before: P[M]) => P[M]): () => void {
  const before = port[method];
  port[method] = behaviour(before);
  return () => {
    port[method] = before;
  };
}

/** A call that cannot get through. */
export async function unavailable(): Promise<never> {
  return Promise.reject(new Fault('Unavailable', 'CANARY'));
}
