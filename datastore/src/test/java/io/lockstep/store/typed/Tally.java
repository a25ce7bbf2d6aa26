package io.lockstep.store.typed;

import io.lockstep.store.Bytes;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Transaction;

/** Adds one to a counter of a name; refuses an empty name. */
public final class Tally implements MicroComponent {
  public static final String NAME = "test.tally";
  public static final TableDef<String, Long> TABLE =
      TableDef.of("test.tallies", Codec.utf8(), Codec.int64());
  public static final Component<String, Long> COMPONENT =
      new Component<>(NAME, Codec.utf8(), Codec.int64());

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Bytes call(Transaction transaction, Bytes argument) throws Refusal {
    if (argument.length() == 0) {
      throw new Refusal("a name is needed");
    }
    return COMPONENT.result().encode(transaction.increment(TABLE.name(), argument, 1));
  }
}
