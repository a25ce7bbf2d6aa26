package io.lockstep.core.mastership;

import io.lockstep.core.state.RecordCodec;
import io.lockstep.store.Bytes;

/** A table whose keys are names of domains. */
abstract class ByDomain<V> implements RecordCodec<String, V> {
  @Override
  public final Bytes encodeKey(String domain) {
    return Bytes.utf8(domain);
  }

  @Override
  public final String decodeKey(Bytes bytes) {
    return bytes.toUtf8();
  }
}
