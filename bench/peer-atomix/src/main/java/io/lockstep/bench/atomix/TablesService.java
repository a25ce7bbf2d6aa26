package io.lockstep.bench.atomix;

import io.atomix.primitive.service.AbstractPrimitiveService;
import io.atomix.primitive.service.BackupInput;
import io.atomix.primitive.service.BackupOutput;
import io.lockstep.bench.compare.OperationCodec;
import io.lockstep.bench.compare.TableMachine;
import java.nio.ByteBuffer;

/**
 * The tables as a primitive of Atomix. Called by its partition's thread. Its snapshots are empty:
 * no server of a run is started anew.
 */
public final class TablesService extends AbstractPrimitiveService<Object>
    implements TablesOperations {
  private final TableMachine tables = new TableMachine();

  TablesService() {
    super(TablesType.INSTANCE);
  }

  @Override
  public byte[] write(byte[] operation) {
    return OperationCodec.encode(tables.apply(OperationCodec.decode(ByteBuffer.wrap(operation))));
  }

  @Override
  public byte[] read(byte[] operation) {
    return write(operation);
  }

  @Override
  public void backup(BackupOutput output) {
    output.writeInt(0);
  }

  @Override
  public void restore(BackupInput input) {
    input.readInt();
  }
}
