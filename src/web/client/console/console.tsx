import { signal } from '@preact/signals';
import { render } from 'preact';

const a = signal(1);
function App() {
  return <p>{a.value}</p>;
}
render(<App />, document.body);
