// Preloaded into a server under test. On a signal, it fails outside of any request: once by a throw and once
// by a rejection.

process.on('SIGUSR2', () => {
  setTimeout(() => {
    throw new Error('a late throw of the test');
  }, 0);
  void Promise.reject(new Error('a late rejection of the test'));
});
