package io.lockstep.deploy.admin;

import io.lockstep.deploy.admin.ProbeDoor.Answer;
import java.util.List;
import java.util.Map;

/** What the admin HTTP does for {@code domain}; called on its threads, may block. */
public interface DomainDoor {
  /** The path. */
  String PATH = "/api/v1/domain-map";

  /** HTTP status of a change that was decided on an outdated version. */
  int OUTDATED = 412;

  /** Longest file that is read. */
  int MAX_FILE_BYTES = 1 << 20;

  /**
   * The domains.
   *
   * @param version in force
   * @param next the version on its way, 0 where there is none
   * @param waitsFor the nodes that the next one waits for
   * @param domains of the newest version
   * @param yaml the same as a file
   */
  record Shown(
      long version, long next, List<String> waitsFor, List<ShownDomain> domains, String yaml) {
    /** The version that a change is decided on. */
    long newest() {
      return next == 0 ? version : next;
    }
  }

  /** A domain; {@code switches} in hexadecimal, {@code 1f} or {@code 1-1f}. */
  record ShownDomain(String name, List<String> switches, List<String> masters) {}

  /**
   * A change that was accepted.
   *
   * @param version of the domains that comes into force once all nodes follow
   */
  record Accepted(long version) {}

  /**
   * Why nothing was changed.
   *
   * @param newest the newest version, where the change was decided on another; 0 otherwise
   */
  record Refused(String error, String remedy, long newest) {}

  /** A {@link Shown}. */
  Answer show();

  /**
   * Changes the domains: {@link Accepted}, or {@link Refused} with status 400 (wrong), {@link
   * #OUTDATED} or 503 (not now).
   *
   * @param decidedOn the version that the change was decided on
   * @param query {@code name} (of the file), or {@code switches} and {@code domain} in place of a
   *     file; a missing domain takes them out of all
   * @param file its text, where its own {@code version} does not matter; empty where the query
   *     names switches
   */
  Answer change(long decidedOn, Map<String, String> query, String file);
}
