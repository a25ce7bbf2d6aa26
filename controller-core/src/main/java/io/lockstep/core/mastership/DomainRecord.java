package io.lockstep.core.mastership;

/**
 * Who masters a domain.
 *
 * @param node the master, or empty where the domain was released
 * @param sessionId the master's session; mastery ends with it. 0 where the domain was released
 * @param epoch grows with every change of mastery, never repeats; as an unsigned 64-bit number it
 *     is the generation id of the role requests (OpenFlow 1.3.5 section 6.3.6). Less than {@link
 *     #MAX_EPOCH}
 * @param sinceMillis when the epoch began, in consensus-ordered time
 */
public record DomainRecord(String node, long sessionId, long epoch, long sinceMillis) {

  /**
   * Bound of epochs: far from the end of the circular order of generation ids, so that a wild
   * generation id of one switch cannot make the epochs of a domain wrap.
   */
  public static final long MAX_EPOCH = 1L << 62;

  /** Whether the domain was released and nobody masters it. */
  public boolean released() {
    return sessionId == 0;
  }
}
