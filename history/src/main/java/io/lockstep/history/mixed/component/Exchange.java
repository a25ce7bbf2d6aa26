package io.lockstep.history.mixed.component;

import io.lockstep.history.mixed.Step.Cell;
import io.lockstep.store.Bytes;
import io.lockstep.store.Entry;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Transaction;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Micro component {@code history.exchange}: reads some entries, and writes one value to all. */
public final class Exchange implements MicroComponent {
  /** The component's name. */
  public static final String NAME = "history.exchange";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Bytes call(Transaction transaction, Bytes argument) {
    CellCodec.Argument asked = CellCodec.argument(argument);
    List<@Nullable Entry> before = new ArrayList<>();
    for (Cell cell : asked.cells()) {
      before.add(transaction.get(cell.table(), Bytes.utf8(cell.key())));
    }
    for (Cell cell : asked.cells()) {
      transaction.put(cell.table(), Bytes.utf8(cell.key()), Bytes.utf8(asked.value()));
    }
    return CellCodec.encode(transaction.index(), before);
  }
}
