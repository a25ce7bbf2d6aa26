package io.lockstep.store.engine.bftsmart;

import io.lockstep.store.Bytes;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Transaction;
import java.util.List;

/** The micro components of the present release; {@link NextRelease} changes one and adds one. */
final class UpgradedComponents {
  static final String GREET = "test.greet";
  static final String PART = "test.part";

  private record Answer(String name, int since, String text) implements MicroComponent {
    @Override
    public Bytes call(Transaction transaction, Bytes argument) {
      transaction.put("t", argument, Bytes.utf8(text));
      return Bytes.utf8(text);
    }
  }

  private UpgradedComponents() {}

  static List<MicroComponent> all() {
    return List.of(new Answer(GREET, 1, "hello"));
  }
}
