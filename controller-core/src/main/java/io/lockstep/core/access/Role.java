package io.lockstep.core.access;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What a user may do; each role includes the ones before it. */
public enum Role {
  /** Sees everything but users. */
  READ,
  /** Changes the network: domains, masters, rules, paths, resources of applications. */
  OPERATE,
  /** Changes who may do what, and what a node logs or records. */
  ADMIN;

  /** Whether it includes another one. */
  public boolean includes(Role needed) {
    return compareTo(needed) >= 0;
  }

  /** As people write it: {@code read}, {@code operate} or {@code admin}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** From what people write; empty where it is none. */
  public static Optional<Role> of(String text) {
    return Arrays.stream(values()).filter(role -> role.text().equals(text)).findFirst();
  }
}
