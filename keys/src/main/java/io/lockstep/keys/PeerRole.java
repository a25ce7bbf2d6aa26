package io.lockstep.keys;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What the owner of a certificate is. The last three are people's. */
public enum PeerRole {
  /** A controller node, or a replica of the store that is a process of its own. */
  NODE,
  /** A switch; its certificate lists its datapath ids. */
  SWITCH,
  /** A person or program that may do everything. */
  ADMIN,
  /** A person or program that may read, and change what the network does. */
  OPERATE,
  /** A person or program that may read. */
  READ;

  /** As certificates and commands write it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The role of this word; empty where there is none. */
  public static Optional<PeerRole> of(String word) {
    return Arrays.stream(values()).filter(role -> role.word().equals(word)).findFirst();
  }

  /** All words, in order. */
  public static List<String> words() {
    return Arrays.stream(values()).map(PeerRole::word).toList();
  }
}
