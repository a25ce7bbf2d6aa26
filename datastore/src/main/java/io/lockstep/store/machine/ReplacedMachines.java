package io.lockstep.store.machine;

import io.lockstep.store.Bytes;
import io.lockstep.store.TableSpec;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;
import io.lockstep.store.codec.CodecException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All replaced machines of a cluster: one value under one key, so that its version in the store is
 * the version of the whole list. Who changes it reads it, asks {@link #replace} or {@link #arrived}
 * for the next list, and writes that with compare-and-set.
 *
 * @param rows ascending by replica; at most one for each
 */
public record ReplacedMachines(List<ReplacedMachine> rows) {
  /** The table with the list. */
  public static final String TABLE = "cluster.machines";

  /** Its only key. */
  public static final Bytes KEY = Bytes.utf8("machines");

  /** No machine has been replaced. */
  public static final ReplacedMachines NONE = new ReplacedMachines(List.of());

  static final int MAX_REPLICAS = 7;
  private static final int FORMAT = 1;

  public ReplacedMachines {
    rows = List.copyOf(rows);
    for (int i = 1; i < rows.size(); i++) {
      if (rows.get(i).replica() <= rows.get(i - 1).replica()) {
        throw new IllegalArgumentException("rows out of order: " + rows);
      }
    }
  }

  /** Why a change is refused. */
  public static final class RefusedChangeException extends Exception {
    private static final long serialVersionUID = 1L;

    RefusedChangeException(String message) {
      super(message);
    }
  }

  /** The table, for clients to declare. */
  public static Map<String, TableSpec> tables() {
    return Map.of(TABLE, TableSpec.values());
  }

  /** The machine that has replaced the first one behind this id; null where none has. */
  public @Nullable ReplacedMachine of(int replica) {
    for (ReplacedMachine row : rows) {
      if (row.replica() == replica) {
        return row;
      }
    }
    return null;
  }

  /** The incarnation of this id: 0 where its first machine is still the right one. */
  public int incarnation(int replica) {
    ReplacedMachine row = of(replica);
    return row == null ? 0 : row.incarnation();
  }

  /**
   * Why this list must not follow another one. A machine that was replaced never counts again, and
   * one change is under way at a time: two quorums could decide without a common member otherwise.
   *
   * @return null where it may follow
   */
  public @Nullable String misfit(ReplacedMachines before) {
    for (ReplacedMachine row : before.rows) {
      ReplacedMachine now = of(row.replica());
      boolean same = now != null && now.incarnation() == row.incarnation();
      if (now == null || (!same && now.incarnation() < row.incarnation())) {
        return "replica "
            + row.replica()
            + " does not go back before incarnation "
            + row.incarnation();
      }
      if (same && !now.equals(row) && !now.equals(row.there())) {
        return "incarnation "
            + row.incarnation()
            + " of replica "
            + row.replica()
            + " stays "
            + row;
      }
    }
    for (ReplacedMachine now : rows) {
      if (now.arrived() && now.incarnation() != before.incarnation(now.replica())) {
        return "incarnation "
            + now.incarnation()
            + " of replica "
            + now.replica()
            + " has not taken part yet";
      }
    }
    return rows.stream().filter(row -> !row.arrived()).count() > 1
        ? "one machine is replaced at a time"
        : null;
  }

  /** Whether both lists name the same machines at the same addresses. */
  public boolean sameMachines(ReplacedMachines other) {
    return settled(this).equals(settled(other));
  }

  private static List<ReplacedMachine> settled(ReplacedMachines machines) {
    return machines.rows.stream().map(ReplacedMachine::there).toList();
  }

  /**
   * The list with another machine behind an id.
   *
   * @param replicas in the cluster
   * @param step by how much the incarnation grows, 1 or more. A random one keeps two attempts
   *     apart, of which the first was never acknowledged
   * @throws RefusedChangeException where a single replica has no other to learn from, or where the
   *     machine of another id has not arrived yet
   */
  public ReplacedMachines replace(int replicas, int replica, String host, int port, int step)
      throws RefusedChangeException {
    if (replicas < 3) {
      throw new RefusedChangeException(
          "a store of one replica has no other that a new machine could learn from");
    }
    if (replica < 0 || replica >= replicas) {
      throw new RefusedChangeException("there is no replica " + replica);
    }
    for (ReplacedMachine row : rows) {
      if (!row.arrived() && row.replica() != replica) {
        throw new RefusedChangeException(
            "replica "
                + row.replica()
                + " is being replaced by "
                + row.host()
                + ":"
                + row.port()
                + ", which does not take part yet: wait for it, or replace that one again");
      }
    }
    long incarnation = (long) incarnation(replica) + Math.max(1, step);
    if (incarnation > ReplacedMachine.MAX_INCARNATION) {
      throw new RefusedChangeException("replica " + replica + " was replaced too often");
    }
    return with(new ReplacedMachine(replica, (int) incarnation, host, port, false));
  }

  /**
   * The list once this machine takes part.
   *
   * @return this list itself where it names another machine, or knows already
   */
  public ReplacedMachines arrived(int replica, int incarnation) {
    ReplacedMachine row = of(replica);
    return row == null || row.arrived() || row.incarnation() != incarnation
        ? this
        : with(row.there());
  }

  private ReplacedMachines with(ReplacedMachine changed) {
    List<ReplacedMachine> all = new ArrayList<>();
    rows.stream().filter(row -> row.replica() < changed.replica()).forEach(all::add);
    all.add(changed);
    rows.stream().filter(row -> row.replica() > changed.replica()).forEach(all::add);
    return new ReplacedMachines(all);
  }

  /** The list as a value of the table. */
  public Bytes encode() {
    ByteWriter out = new ByteWriter();
    out.int8(FORMAT).int8(rows.size());
    for (ReplacedMachine row : rows) {
      out.int8(row.replica()).int32(row.incarnation()).utf8(row.host());
      out.int16(row.port()).flag(row.arrived());
    }
    return out.toBytes();
  }

  /** What is wrong with a value of the table; null where nothing is. */
  public static @Nullable String violation(Bytes value) {
    try {
      ReplacedMachines unused = decode(value);
      return null;
    } catch (CodecException unreadable) {
      return unreadable.getMessage();
    }
  }

  /**
   * Reads a value of the table.
   *
   * @throws CodecException where it is none
   */
  public static ReplacedMachines decode(Bytes value) {
    ByteReader in = new ByteReader(value);
    int format = in.uint8();
    if (format != FORMAT) {
      throw new CodecException(0, "a list of machines of version " + FORMAT);
    }
    int count = in.uint8();
    List<ReplacedMachine> rows = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        rows.add(
            new ReplacedMachine(
                in.uint8(),
                in.int32(),
                in.utf8(ReplacedMachine.MAX_HOST_CHARS),
                in.uint16(),
                in.flag()));
      }
      in.end();
      return new ReplacedMachines(rows);
    } catch (IllegalArgumentException wrong) {
      throw new CodecException(in.offset(), "a list of machines: " + wrong.getMessage());
    }
  }
}
