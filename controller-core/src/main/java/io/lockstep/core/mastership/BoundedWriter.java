package io.lockstep.core.mastership;

import io.lockstep.store.Reply;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.onosproject.net.DeviceId;

/**
 * Writes what switches report, within {@link WriteBounds}: a switch whose ports or hosts come and
 * go without end does not fill the store client's queue, which all switches share. Further writes
 * are rejected at once; who asked compares again. Thread-safe.
 */
public final class BoundedWriter implements DomainWriter {
  private final DomainWriter writer;
  private final WriteBounds bounds;

  /** A writer in front of another. */
  public BoundedWriter(DomainWriter writer, WriteBounds bounds) {
    this.writer = writer;
    this.bounds = bounds;
  }

  @Override
  public CompletableFuture<Reply> write(DeviceId device, List<FencedWrite.Write> writes) {
    return bounds.within(device, () -> writer.write(device, writes));
  }
}
