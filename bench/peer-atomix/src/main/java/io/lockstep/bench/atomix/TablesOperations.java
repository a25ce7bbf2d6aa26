package io.lockstep.bench.atomix;

import io.atomix.primitive.operation.Command;
import io.atomix.primitive.operation.Query;

/** The operations of the primitive for procedures, encoded as in {@code OperationCodec}. */
public interface TablesOperations {

  /** Carries out an operation that may change the tables. */
  @Command
  byte[] write(byte[] operation);

  /** Carries out an operation that changes nothing. */
  @Query
  byte[] read(byte[] operation);
}
