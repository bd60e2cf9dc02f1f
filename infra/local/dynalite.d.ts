declare module 'dynalite' {
  import type { Server } from 'node:http';

  interface DynaliteOptions {
    readonly path?: string;
    readonly createTableMs?: number;
  }
  export default function dynalite(options?: DynaliteOptions): Server;
}
