// Value and arbitrage.

export function SignalsTab({ signal }: { readonly signal: 'value' | 'arbitrage' }) {
  return <p>{signal}</p>;
}
