package io.lockstep.core.cluster;

/**
 * A version of the domains as the store has it.
 *
 * @param format of the record; where it is newer than {@link DomainsTable#FORMAT}, nothing else of
 *     the record is known
 * @param version grows by one with each change; 1 is the first value
 * @param epochFloor no epoch of a domain that is not in this version was higher
 * @param map the domains
 */
public record StoredDomains(int format, long version, long epochFloor, DomainMap map) {

  /** A version in the present format. */
  public static StoredDomains of(long version, long epochFloor, DomainMap map) {
    return new StoredDomains(DomainsTable.FORMAT, version, epochFloor, map);
  }

  /** What a store holds before the first node wrote its domains: version 0. */
  public static StoredDomains none() {
    return of(0, 0, DomainMap.EMPTY);
  }

  /** Whether this release can read the record. */
  public boolean readable() {
    return format == DomainsTable.FORMAT;
  }
}
