package io.lockstep.store.typed;

import io.lockstep.store.Bytes;
import io.lockstep.store.Entry;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Transaction;

/** Reads what {@link Tally} counted; 0 where it did not; refuses an empty name. */
public final class TallyRead implements MicroComponent {
  public static final Component<String, Long> COMPONENT =
      new Component<>("test.tally-read", Codec.utf8(), Codec.int64());

  @Override
  public String name() {
    return COMPONENT.name();
  }

  @Override
  public Bytes call(Transaction transaction, Bytes argument) throws Refusal {
    if (argument.length() == 0) {
      throw new Refusal("a name is needed");
    }
    Entry entry = transaction.get(Tally.TABLE.name(), argument);
    return entry == null ? COMPONENT.result().encode(0L) : entry.value();
  }
}
