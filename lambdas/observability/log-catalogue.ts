// Every line that Countersign may log, by a code that dashboards and runbooks can rely on. Codes are never reused.

export const LOG_CATALOGUE = {
  CS1001: { level: 'info', message: 'operation opened' },
  CS1002: { level: 'info', message: 'call refused before it was stored' },
  CS1003: { level: 'info', message: 'same call proposed again' },
  CS2001: { level: 'info', message: 'decision recorded' },
  CS2002: { level: 'warn', message: 'decision refused' },
  CS2003: { level: 'info', message: 'operation cancelled or cancel noted' },
  CS2004: { level: 'info', message: 'exact arguments revealed' },
  CS2005: { level: 'warn', message: 'reveal refused' },
  CS3001: { level: 'info', message: 'task token parked' },
  CS3002: { level: 'info', message: 'execution started' },
  CS3003: { level: 'info', message: 'execution woken' },
  CS3004: { level: 'warn', message: 'execution could not be woken now; the relay repeats it' },
  CS3005: { level: 'info', message: 'execution settled' },
  CS3006: { level: 'warn', message: 'execution lost; operation closed' },
  CS3007: { level: 'warn', message: 'execution could not be started now; the relay repeats it' },
  CS4001: { level: 'info', message: 'tool started' },
  CS4002: { level: 'info', message: 'tool outcome recorded' },
  CS4003: { level: 'warn', message: 'grant not claimed' },
  CS4004: { level: 'error', message: 'tool outcome unknown: a person must look' },
  CS5001: { level: 'info', message: 'events relayed' },
  CS5002: { level: 'warn', message: 'event not taken by the bus; it is tried again' },
  CS5003: { level: 'error', message: 'event rejected by the bus for good' },
  CS5004: { level: 'error', message: 'operation could not be relayed' },
  CS5005: { level: 'info', message: 'operation closed by time' },
  CS6001: { level: 'info', message: 'registry stored' },
  CS6002: { level: 'info', message: 'policy changed' },
  CS9001: { level: 'info', message: 'request answered' },
  CS9002: { level: 'error', message: 'request failed' },
} as const;

export type LogCode = keyof typeof LOG_CATALOGUE;
