// Admits a request as the HTTP layer does: identifies its caller, then charges.

import type { Admission, Gate } from '../../src/access/gate.ts';

export function admit(
  gate: Gate,
  authorization: string | null,
  clientAddress: string,
  units: 0 | 1,
): Admission {
  return gate.charge(gate.identify(authorization), clientAddress, units);
}

export function admitTicket(gate: Gate, ticket: string, clientAddress: string): Admission {
  return gate.charge(gate.redeem(ticket), clientAddress, 1);
}
