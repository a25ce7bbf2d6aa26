package io.lockstep.core.topology;

import io.lockstep.core.state.RecordCodec;
import io.lockstep.store.Bytes;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;

/** The table {@code net.link-confirmations}: a node to its {@link LinkConfirmation}. */
public final class LinkConfirmationTable implements RecordCodec<String, LinkConfirmation> {

  /** The table's name. */
  public static final String NAME = "net.link-confirmations";

  private static final int FORMAT = 1;

  @Override
  public Bytes encodeKey(String node) {
    return Bytes.utf8(node);
  }

  @Override
  public String decodeKey(Bytes bytes) {
    return bytes.toUtf8();
  }

  @Override
  public Bytes encodeValue(LinkConfirmation confirmation) {
    return new ByteWriter(1 + 2 * Long.BYTES)
        .int8(FORMAT)
        .int64(confirmation.sessionId())
        .int64(confirmation.index())
        .toBytes();
  }

  @Override
  public LinkConfirmation decodeValue(Bytes bytes) {
    ByteReader in = new ByteReader(bytes);
    in.version(FORMAT, "confirmation of links");
    LinkConfirmation confirmation = new LinkConfirmation(in.int64(), in.int64());
    in.end();
    return confirmation;
  }
}
