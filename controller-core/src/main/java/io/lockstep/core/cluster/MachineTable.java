package io.lockstep.core.cluster;

import io.lockstep.core.state.RecordCodec;
import io.lockstep.store.Bytes;
import io.lockstep.store.machine.ReplacedMachines;

/** The table {@code cluster.machines}: one list of the machines that have replaced others. */
public final class MachineTable implements RecordCodec<String, ReplacedMachines> {
  /** The table's name. */
  public static final String NAME = ReplacedMachines.TABLE;

  /** Its only key. */
  public static final String KEY = ReplacedMachines.KEY.toUtf8();

  @Override
  public Bytes encodeKey(String key) {
    return Bytes.utf8(key);
  }

  @Override
  public String decodeKey(Bytes bytes) {
    return bytes.toUtf8();
  }

  @Override
  public Bytes encodeValue(ReplacedMachines machines) {
    return machines.encode();
  }

  @Override
  public ReplacedMachines decodeValue(Bytes bytes) {
    return ReplacedMachines.decode(bytes);
  }
}
