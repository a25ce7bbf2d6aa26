package io.lockstep.apps.loadbalancer.state;

import org.jspecify.annotations.Nullable;

/** The protocols that a virtual IP may have, with their numbers in IP headers. */
public enum TransportProtocol implements Coded {
  TCP(6, 3_600),
  UDP(17, 60);

  private final int number;
  private final int usualIdleSeconds;

  TransportProtocol(int number, int usualIdleSeconds) {
    this.number = number;
    this.usualIdleSeconds = usualIdleSeconds;
  }

  /** Its number in an IP header. */
  public int number() {
    return number;
  }

  @Override
  public int code() {
    return number;
  }

  /** How long a connection is remembered after its last packet, where nothing else is said. */
  public int usualIdleSeconds() {
    return usualIdleSeconds;
  }

  /** The protocol with a number, or null. */
  public static @Nullable TransportProtocol ofNumber(int number) {
    return number == TCP.number ? TCP : number == UDP.number ? UDP : null;
  }
}
