package io.lockstep.core.cluster;

import io.lockstep.store.Bytes;
import io.lockstep.store.Entry;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Transaction;
import io.lockstep.store.typed.Codec;
import io.lockstep.store.typed.Component;

/**
 * Micro component {@code core.register}: gives an application name its number, the same on all
 * nodes and for good; the next one from a counter where the name is new.
 */
public final class RegisterApplication implements MicroComponent {

  private static final Bytes COUNTER = Bytes.utf8("application-id");
  private static final ApplicationTable APPLICATIONS = new ApplicationTable();

  /** Called with an application's name; returns its number. */
  public static final Component<String, Short> COMPONENT =
      new Component<>(
          "core.register",
          Codec.utf8(),
          Codec.of(APPLICATIONS::encodeValue, APPLICATIONS::decodeValue));

  @Override
  public String name() {
    return COMPONENT.name();
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
