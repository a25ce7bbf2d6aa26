package io.lockstep.core.southbound;

import io.lockstep.placer.space.HeaderField;
import java.util.List;

/**
 * What a switch says of its flow tables when it connects (OpenFlow 1.3.5 section 7.3.5.5; for 1.0
 * the table statistics, section 5.3.5). Claims only: switches are known that claim more than they
 * have.
 *
 * @param tables as it says them; empty where it does not
 * @param whyNone why there are none, for people; empty where there are some
 * @param rewrites false where it says that it cannot rewrite the MAC and IPv4 addresses and the TCP
 *     ports of packets; true also where it does not say
 */
public record TableClaims(List<Table> tables, String whyNone, boolean rewrites) {
  public TableClaims {
    tables = List.copyOf(tables);
  }

  /** It says nothing. */
  public static TableClaims none(String why) {
    return new TableClaims(List.of(), why, true);
  }

  /** It says this. */
  public static TableClaims of(List<Table> tables) {
    return tables.isEmpty() ? none("the answer was empty") : new TableClaims(tables, "", true);
  }

  /** The same, and every table can set these fields, a bit each. */
  public TableClaims withRewrites(int fields, boolean canRewrite) {
    return new TableClaims(
        tables.stream().map(table -> table.withRewrites(fields)).toList(), whyNone, canRewrite);
  }

  /** The same, and whether it says that it can rewrite. */
  public TableClaims withRewrites(boolean canRewrite) {
    return new TableClaims(tables, whyNone, canRewrite);
  }

  /**
   * One table. Sets of fields have a bit for each {@link io.lockstep.placer.space.HeaderField};
   * what that does not know is left out.
   *
   * @param name as the switch calls it, perhaps empty
   * @param maxEntries unsigned 32-bit
   * @param matches fields that an entry may match on
   * @param anyMask those of them that take any mask
   * @param prefixes those that take the first bits
   * @param optional fields that an entry may leave out
   * @param next tables that an entry may send packets to
   * @param rewrites fields that an entry may set; all where the switch does not say
   */
  public record Table(
      int number,
      String name,
      long maxEntries,
      int matches,
      int anyMask,
      int prefixes,
      int optional,
      List<Integer> next,
      int rewrites) {
    public Table {
      next = List.copyOf(next);
    }

    /** A table that does not say which fields its entries may set. */
    public Table(
        int number,
        String name,
        long maxEntries,
        int matches,
        int anyMask,
        int prefixes,
        int optional,
        List<Integer> next) {
      this(
          number,
          name,
          maxEntries,
          matches,
          anyMask,
          prefixes,
          optional,
          next,
          HeaderField.REWRITABLE);
    }

    /** The same, whose entries may set these fields. */
    Table withRewrites(int fields) {
      return new Table(
          number, name, maxEntries, matches, anyMask, prefixes, optional, next, fields);
    }
  }
}
