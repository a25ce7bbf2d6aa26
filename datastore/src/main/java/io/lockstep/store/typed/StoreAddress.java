package io.lockstep.store.typed;

import io.lockstep.store.engine.bftsmart.ClientConfig;
import io.lockstep.store.engine.bftsmart.ReplicaConfig.Member;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Where a store is: {@code cluster@host:port,host:port,host:port}, the store ports of all replicas
 * in the order of their ids.
 *
 * @param cluster the name that replicas and clients agree on
 * @param members the replicas, ids 0 to n-1 in order; n is 1, 3, 5 or 7
 */
public record StoreAddress(String cluster, List<Member> members) {
  private static final int LONGEST_FILE = 4096;
  private static final int LAST_PORT = 65_534;
  private static final String FORM = "cluster@host:port,host:port,host:port";

  public StoreAddress {
    members = List.copyOf(members);
    // What a client cannot be made of is refused here.
    ClientConfig.of(cluster, members, 0);
  }

  /**
   * Reads an address.
   *
   * @throws IllegalArgumentException where it is none, with the place and the remedy
   */
  public static StoreAddress parse(String text) {
    String address = text.strip();
    int at = address.indexOf('@');
    if (at < 1) {
      throw refused(address, "it names no cluster before an @");
    }
    List<Member> members = new ArrayList<>();
    for (String endpoint : address.substring(at + 1).split(",", -1)) {
      members.add(member(address, members.size(), endpoint.strip()));
    }
    try {
      return new StoreAddress(address.substring(0, at), members);
    } catch (IllegalArgumentException e) {
      throw refused(address, String.valueOf(e.getMessage()));
    }
  }

  /**
   * Reads the address that a file holds, at most 4 KiB.
   *
   * @throws IOException where the file cannot be read
   * @throws IllegalArgumentException where it holds no address, with file, place and remedy
   */
  public static StoreAddress ofFile(Path file) throws IOException {
    if (Files.size(file) > LONGEST_FILE) {
      throw new IllegalArgumentException(
          file + ": longer than " + LONGEST_FILE + " bytes; it holds one line: " + FORM);
    }
    try {
      return parse(Files.readString(file));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
    }
  }

  private static Member member(String address, int id, String endpoint) {
    String place = "endpoint " + (id + 1) + " (\"" + endpoint + "\") ";
    int colon = endpoint.lastIndexOf(':');
    if (colon < 1) {
      throw refused(address, place + "is not host:port");
    }
    String digits = endpoint.substring(colon + 1);
    int port = digits.matches("[0-9]{1,5}") ? Integer.parseInt(digits) : 0;
    if (port < 1 || port > LAST_PORT) {
      throw refused(address, place + "has no port of 1 to " + LAST_PORT);
    }
    return new Member(id, endpoint.substring(0, colon), port);
  }

  private static IllegalArgumentException refused(String address, String why) {
    return new IllegalArgumentException(
        "the store's address \"" + address + "\" is refused: " + why + "; write " + FORM);
  }

  @Override
  public String toString() {
    return cluster
        + "@"
        + String.join(
            ",", members.stream().map(member -> member.host() + ":" + member.port()).toList());
  }
}
