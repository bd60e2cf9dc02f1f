// Runs one registered tool once, and says honestly what is known of it afterwards.

export interface ToolCall {
  readonly operation_id: string;
  readonly arguments_hash: string;
  /** The canonical JSON text whose hash was checked; it is passed on as it is. */
  readonly arguments: string;
}

export type ToolAnswer =
  | { readonly kind: 'completed'; readonly output: unknown }
  /** The tool said so itself, or it certainly never began. */
  | { readonly kind: 'failed'; readonly error: string; readonly message: string }
  /** It may or may not have had its effect. */
  | { readonly kind: 'unknown'; readonly reason: string };

export interface ToolInvoker {
  invoke(function_name: string, call: ToolCall, timeout_seconds: number): Promise<ToolAnswer>;
}
