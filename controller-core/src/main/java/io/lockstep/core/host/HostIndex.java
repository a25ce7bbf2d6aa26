package io.lockstep.core.host;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which hosts have an address. The control loop alone changes it; any thread may read, and sees
 * each change as soon as it is made.
 *
 * @param <A> the address
 */
final class HostIndex<A> {
  private final ConcurrentHashMap<A, Set<HostKey>> hosts = new ConcurrentHashMap<>();

  void add(A address, HostKey host) {
    hosts.computeIfAbsent(address, a -> ConcurrentHashMap.newKeySet()).add(host);
  }

  void remove(A address, HostKey host) {
    hosts.computeIfPresent(
        address,
        (a, keys) -> {
          keys.remove(host);
          return keys.isEmpty() ? null : keys;
        });
  }

  /** The hosts with the address, in no order; live and read-only by agreement. */
  Set<HostKey> of(A address) {
    return hosts.getOrDefault(address, Set.of());
  }
}
