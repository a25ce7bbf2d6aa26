package io.lockstep.apps.loadbalancer.state;

import io.lockstep.apps.loadbalancer.state.Configure.Subject;
import io.lockstep.store.Command;

/**
 * The commands that change the configuration while everything runs. Each is one operation; {@link
 * ConfigOutcome#of} reads its reply. {@code expectedVersion} is the version of the entry that the
 * change was decided on ({@link io.lockstep.store.Entry#version}), {@link Configure#ABSENT} to make
 * a new one, or {@link Configure#ANY_VERSION}. Pure and thread-safe.
 *
 * <p>What only the network knows is not checked here: whether a host has the virtual IP, and
 * whether a member is in another VLAN.
 */
public final class BalancerCommands {
  private BalancerCommands() {}

  /** Adds or sets a virtual IP. Connections keep their members where pool and service stay. */
  public static Command put(VirtualIp vip, long expectedVersion) {
    return Configure.put(Subject.VIP, expectedVersion, vip.name(), vip.bytes());
  }

  /** Adds or sets a pool. */
  public static Command put(Pool pool, long expectedVersion) {
    return Configure.put(Subject.POOL, expectedVersion, pool.name(), pool.bytes());
  }

  /** Adds or sets a member; also drains it. One with another address is another server. */
  public static Command put(Member member, long expectedVersion) {
    return Configure.put(Subject.MEMBER, expectedVersion, member.name(), member.bytes());
  }

  /** Removes a virtual IP; its connections are forgotten. */
  public static Command removeVip(String name, long expectedVersion) {
    return Configure.remove(Subject.VIP, expectedVersion, name);
  }

  /** Removes a pool that no virtual IP uses and that has no member. */
  public static Command removePool(String name, long expectedVersion) {
    return Configure.remove(Subject.POOL, expectedVersion, name);
  }

  /** Removes a member; its connections get a reset. */
  public static Command removeMember(String name, long expectedVersion) {
    return Configure.remove(Subject.MEMBER, expectedVersion, name);
  }
}
