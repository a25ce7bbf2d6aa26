package io.lockstep.history.mixed.component;

import io.lockstep.history.mixed.Step.Cell;
import io.lockstep.store.Bytes;
import io.lockstep.store.Entry;
import io.lockstep.store.MicroComponent;
import io.lockstep.store.Transaction;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Micro component {@code history.take-lease}: writes the entry of one lease, whose version is then
 * the fence of its holder. Refuses while the session of another holder is open. The holder's
 * session is kept beside the lease, in {@link #HOLDERS}.
 */
public final class TakeLease implements MicroComponent {
  /** The component's name. */
  public static final String NAME = "history.take-lease";

  /** The table with the holder's session, under the key of the lease. */
  public static final String HOLDERS = "holders";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Bytes call(Transaction transaction, Bytes argument) throws Refusal {
    CellCodec.Argument asked = CellCodec.argument(argument);
    if (asked.cells().size() != 1) {
      throw new Refusal("one lease at a time, not " + asked.cells().size());
    }
    Cell cell = asked.cells().get(0);
    Bytes key = Bytes.utf8(cell.key());
    Entry lease = transaction.get(cell.table(), key);
    Entry holder = transaction.get(HOLDERS, key);
    if (lease != null && holder != null) {
      long session = new ByteReader(holder.value()).int64();
      if (session != transaction.callerSession() && transaction.sessionAlive(session)) {
        throw new Refusal("held by session " + session);
      }
    }
    transaction.put(cell.table(), key, Bytes.utf8(asked.value()));
    transaction.put(HOLDERS, key, new ByteWriter(8).int64(transaction.callerSession()).toBytes());
    List<@Nullable Entry> before = new ArrayList<>();
    before.add(lease);
    return CellCodec.encode(transaction.index(), before);
  }
}
