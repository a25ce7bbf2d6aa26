package io.lockstep.core.mastership;

/**
 * What a write on behalf of a domain or a switch carries: the store refuses it once the epoch is
 * old.
 *
 * @param scope the name of a domain, or the device id of a switch that was delegated
 * @param epoch the epoch under which the writer masters the scope
 */
public record Fence(String scope, long epoch) {

  /** Bytes of UTF-8 of a scope at most. */
  public static final int MAX_SCOPE_BYTES = DomainTable.MAX_NAME_BYTES;
}
