package io.lockstep.dataplane.flowtable;

import java.util.Set;

/**
 * A change of a flow table (OpenFlow 1.3.5 section 7.3.4.1).
 *
 * @param tableId 0 to 254; {@link #ALL_TABLES} with the delete commands
 * @param cookieMask for modify and delete: which bits of the cookie must be equal; 0 for no filter
 * @param idleTimeoutSeconds 0 to 65535, 0 for none
 * @param hardTimeoutSeconds 0 to 65535, 0 for none
 * @param bufferId a buffered packet to run through the table afterwards, or {@link #NO_BUFFER}
 * @param outPort filter of the delete commands, {@link PortNumbers#ANY} for none
 * @param outGroupAny false when a delete filters on a group; the model has none, so nothing matches
 */
public record FlowMod(
    Command command,
    int tableId,
    FlowMatch match,
    int priority,
    long cookie,
    long cookieMask,
    int idleTimeoutSeconds,
    int hardTimeoutSeconds,
    Set<FlowFlag> flags,
    int bufferId,
    int outPort,
    boolean outGroupAny,
    Instructions instructions) {
  /** OFPTT_ALL. */
  public static final int ALL_TABLES = 0xff;

  /** OFP_NO_BUFFER. */
  public static final int NO_BUFFER = 0xffff_ffff;

  public FlowMod {
    flags = Set.copyOf(flags);
  }

  /** An add to table 0 without time-outs, cookie or flags. */
  public static FlowMod add(FlowMatch match, int priority, Instructions instructions) {
    return new FlowMod(
        Command.ADD,
        0,
        match,
        priority,
        0,
        0,
        0,
        0,
        Set.of(),
        NO_BUFFER,
        PortNumbers.ANY,
        true,
        instructions);
  }

  /** A delete from all tables, without filters. */
  public static FlowMod delete(FlowMatch match) {
    return add(match, 0, Instructions.NONE).with(Command.DELETE).inTable(ALL_TABLES);
  }

  public FlowMod with(Command other) {
    return new FlowMod(
        other,
        tableId,
        match,
        priority,
        cookie,
        cookieMask,
        idleTimeoutSeconds,
        hardTimeoutSeconds,
        flags,
        bufferId,
        outPort,
        outGroupAny,
        instructions);
  }

  public FlowMod inTable(int table) {
    return new FlowMod(
        command,
        table,
        match,
        priority,
        cookie,
        cookieMask,
        idleTimeoutSeconds,
        hardTimeoutSeconds,
        flags,
        bufferId,
        outPort,
        outGroupAny,
        instructions);
  }

  public FlowMod withCookie(long newCookie, long newCookieMask) {
    return new FlowMod(
        command,
        tableId,
        match,
        priority,
        newCookie,
        newCookieMask,
        idleTimeoutSeconds,
        hardTimeoutSeconds,
        flags,
        bufferId,
        outPort,
        outGroupAny,
        instructions);
  }

  public FlowMod withTimeouts(int idleSeconds, int hardSeconds) {
    return new FlowMod(
        command,
        tableId,
        match,
        priority,
        cookie,
        cookieMask,
        idleSeconds,
        hardSeconds,
        flags,
        bufferId,
        outPort,
        outGroupAny,
        instructions);
  }

  public FlowMod withFlags(FlowFlag... newFlags) {
    return new FlowMod(
        command,
        tableId,
        match,
        priority,
        cookie,
        cookieMask,
        idleTimeoutSeconds,
        hardTimeoutSeconds,
        Set.of(newFlags),
        bufferId,
        outPort,
        outGroupAny,
        instructions);
  }

  public FlowMod withOutPort(int port) {
    return new FlowMod(
        command,
        tableId,
        match,
        priority,
        cookie,
        cookieMask,
        idleTimeoutSeconds,
        hardTimeoutSeconds,
        flags,
        bufferId,
        port,
        outGroupAny,
        instructions);
  }

  public FlowMod withBuffer(int buffer) {
    return new FlowMod(
        command,
        tableId,
        match,
        priority,
        cookie,
        cookieMask,
        idleTimeoutSeconds,
        hardTimeoutSeconds,
        flags,
        buffer,
        outPort,
        outGroupAny,
        instructions);
  }

  /** What to do with the entries the match selects. */
  public enum Command {
    ADD,
    MODIFY,
    MODIFY_STRICT,
    DELETE,
    DELETE_STRICT;

    boolean isDelete() {
      return this == DELETE || this == DELETE_STRICT;
    }

    boolean isStrict() {
      return this == MODIFY_STRICT || this == DELETE_STRICT;
    }
  }
}
