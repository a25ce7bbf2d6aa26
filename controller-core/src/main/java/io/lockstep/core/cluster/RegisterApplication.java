package io.lockstep.core.cluster;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Entry;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Reply;
import io.lockstep.store.Transaction;
import io.lockstep.store.codec.ByteReader;

/**
 * Micro component {@code core.register}: gives an application name its number, the same on all
 * nodes and for good; the next one from a counter where the name is new.
 */
public final class RegisterApplication implements MicroComponent {

  /** The component's name. */
  public static final String NAME = "core.register";

  private static final Bytes COUNTER = Bytes.utf8("application-id");
  private static final ApplicationTable APPLICATIONS = new ApplicationTable();

  /** The command. */
  public static Command command(String application) {
    return new Command.Call(NAME, Bytes.utf8(application));
  }

  /** The application's number. */
  public static short result(Reply.Returned reply) {
    return (short) new ByteReader(reply.result()).int64();
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Bytes call(Transaction transaction, Bytes argument) throws Refusal {
    if (argument.length() == 0 || argument.length() > ApplicationTable.MAX_NAME_BYTES) {
      throw new Refusal(
          "an application's name has 1 to " + ApplicationTable.MAX_NAME_BYTES + " bytes");
    }
    Entry known = transaction.get(ApplicationTable.NAME, argument);
    if (known != null) {
      return known.value();
    }
    long id = transaction.increment(ApplicationTable.COUNTERS, COUNTER, 1);
    if (id > Short.MAX_VALUE) {
      throw new Refusal("all " + Short.MAX_VALUE + " numbers of applications are taken");
    }
    Bytes value = APPLICATIONS.encodeValue((short) id);
    transaction.put(ApplicationTable.NAME, argument, value);
    return value;
  }
}
