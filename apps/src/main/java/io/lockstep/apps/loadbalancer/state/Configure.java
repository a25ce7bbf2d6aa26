package io.lockstep.apps.loadbalancer.state;

import io.lockstep.apps.loadbalancer.state.ConfigOutcome.Kind;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Entry;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Transaction;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;
import org.jspecify.annotations.Nullable;

/**
 * Micro component {@code load-balancer.configure}: puts or removes one virtual IP, pool or member.
 * Checks the expected version first, then all that concerns more than one entry ({@link
 * ConfigRules}). All nodes that read the tables afterwards read a configuration that fits together.
 *
 * <p>Argument: format (1 byte), whether it removes (1), what it is (1), expected version (8), name,
 * value of the entry (empty where it removes). Result: {@link ConfigOutcome}.
 */
public final class Configure implements MicroComponent {

  /** The component's name. */
  public static final String NAME = "load-balancer.configure";

  /**
   * Expects nothing: changes the entry whatever version it has, and makes it where there is none.
   */
  public static final long ANY_VERSION = -1;

  /** Expects that there is no such entry. */
  public static final long ABSENT = 0;

  private static final int FORMAT = 1;
  private static final int MOST_VALUE_BYTES = 256;

  /** What is configured. The numbers are part of the format. */
  enum Subject implements Coded {
    VIP(0, BalancerTables.VIPS, VirtualIp.MOST),
    POOL(1, BalancerTables.POOLS, Pool.MOST),
    MEMBER(2, BalancerTables.MEMBERS, Member.MOST);

    private final int code;
    final String table;
    final int most;

    Subject(int code, String table, int most) {
      this.code = code;
      this.table = table;
      this.most = most;
    }

    @Override
    public int code() {
      return code;
    }
  }

  /**
   * The call that puts an entry.
   *
   * @param expectedVersion of the entry, {@link #ABSENT} or {@link #ANY_VERSION}
   */
  static Command put(Subject subject, long expectedVersion, String name, Bytes value) {
    return command(false, subject, expectedVersion, name, value);
  }

  /** The call that removes an entry. */
  static Command remove(Subject subject, long expectedVersion, String name) {
    return command(true, subject, expectedVersion, name, Bytes.empty());
  }

  private static Command command(
      boolean removes, Subject subject, long expectedVersion, String name, Bytes value) {
    return new Command.Call(
        NAME,
        new ByteWriter(64)
            .int8(FORMAT)
            .flag(removes)
            .int8(subject.code())
            .int64(expectedVersion)
            .utf8(name)
            .bytes(value)
            .toBytes());
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Bytes call(Transaction transaction, Bytes argument) {
    ByteReader in = new ByteReader(argument);
    in.version(FORMAT, "change of the configuration");
    boolean removes = in.flag();
    Subject subject = Coded.of(Subject.values(), "subject", in.uint8());
    long expected = in.int64();
    String name = in.utf8(ConfigNames.MOST_CHARS);
    Bytes value = in.bytes(MOST_VALUE_BYTES);
    in.end();
    return outcome(transaction, subject, removes, expected, name, value).bytes();
  }

  /** What comes of the change; writes only where it is done. */
  private static ConfigOutcome outcome(
      Transaction transaction,
      Subject subject,
      boolean removes,
      long expected,
      String name,
      Bytes value) {
    Entry present = transaction.get(subject.table, ConfigNames.key(name));
    if (expected != ANY_VERSION) {
      ConfigOutcome other = otherVersion(present, expected);
      if (other != null) {
        return other;
      }
    }
    try {
      if (removes) {
        return remove(transaction, subject, name, present);
      }
      if (present == null
          && BalancerTables.all(transaction, subject.table, subject.most).size() == subject.most) {
        return new ConfigOutcome(
            Kind.FULL, 0, "", "there are " + subject.most + " already; remove one first");
      }
      switch (subject) {
        case VIP -> ConfigRules.put(transaction, VirtualIp.of(name, value));
        case POOL -> ConfigRules.put(transaction, Pool.of(name, value));
        case MEMBER -> ConfigRules.put(transaction, Member.of(name, value));
      }
      return ConfigOutcome.done(transaction.index());
    } catch (FieldException e) {
      return ConfigOutcome.invalid(e);
    }
  }

  private static @Nullable ConfigOutcome otherVersion(@Nullable Entry present, long expected) {
    if (present == null) {
      return expected == ABSENT ? null : notFound();
    }
    if (present.version() == expected) {
      return null;
    }
    return expected == ABSENT
        ? new ConfigOutcome(
            Kind.EXISTS, present.version(), "name", "it is there already; set it, or take another")
        : new ConfigOutcome(
            Kind.OTHER_VERSION,
            present.version(),
            "",
            "it was changed meanwhile; look at it and change it again");
  }

  private static ConfigOutcome notFound() {
    return new ConfigOutcome(Kind.NOT_FOUND, 0, "name", "there is none of this name");
  }

  private static ConfigOutcome remove(
      Transaction transaction, Subject subject, String name, @Nullable Entry present) {
    if (present == null) {
      return notFound();
    }
    String user =
        switch (subject) {
          case VIP -> ConfigRules.remove(transaction, VirtualIp.of(name, present.value()));
          case POOL -> ConfigRules.remove(transaction, Pool.of(name, present.value()));
          case MEMBER -> ConfigRules.remove(transaction, Member.of(name, present.value()));
        };
    return user.isEmpty()
        ? ConfigOutcome.done(transaction.index())
        : new ConfigOutcome(
            Kind.IN_USE,
            present.version(),
            "name",
            "it is in use by " + user + "; change that first");
  }
}
