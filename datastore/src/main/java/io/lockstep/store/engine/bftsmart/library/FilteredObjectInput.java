package io.lockstep.store.engine.bftsmart.library;

import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;

/**
 * Replaces {@link ObjectInputStream} in the library's leader-change code, the only code that still
 * reads Java objects from other replicas. Accepts only the library's leader-change classes and the
 * plain collections that they use.
 */
public final class FilteredObjectInput extends ObjectInputStream {

  private static final ObjectInputFilter FILTER =
      ObjectInputFilter.Config.createFilter(
          "maxdepth=16;maxarray=67108864;maxrefs=100000;"
              + "bftsmart.tom.leaderchange.CertifiedDecision;"
              + "bftsmart.tom.leaderchange.CollectData;"
              + "bftsmart.consensus.messages.ConsensusMessage;"
              + "bftsmart.consensus.TimestampValuePair;"
              + "bftsmart.communication.SystemMessage;"
              + "java.security.SignedObject;"
              + "java.util.HashSet;java.util.HashMap;java.util.Map$Entry;java.util.Map$Entry[];"
              + "java.lang.Object;java.lang.Object[];java.lang.String;"
              + "!*");

  /** Opens a stream whose every object must pass the filter. */
  public FilteredObjectInput(InputStream in) throws IOException {
    super(in);
    setObjectInputFilter(FILTER);
  }
}
