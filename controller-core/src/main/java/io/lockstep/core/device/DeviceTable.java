package io.lockstep.core.device;

import io.lockstep.core.southbound.SwitchFeatures;
import io.lockstep.core.state.RecordCodec;
import io.lockstep.store.Bytes;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;

/** The table {@code net.devices}: datapath id to {@link DeviceRecord}. */
public final class DeviceTable implements RecordCodec<Long, DeviceRecord> {

  /** The table's name. */
  public static final String NAME = "net.devices";

  private static final int FORMAT = 1;
  private static final int MAX_NODE_BYTES = 64;

  /** Descriptions of OpenFlow 1.3.5 section 7.3.5.1 have at most 256 bytes; UTF-8 may take more. */
  private static final int MAX_TEXT_BYTES = 1_024;

  @Override
  public Bytes encodeKey(Long dpid) {
    return new ByteWriter(8).int64(dpid).toBytes();
  }

  @Override
  public Long decodeKey(Bytes bytes) {
    ByteReader in = new ByteReader(bytes);
    long dpid = in.int64();
    in.end();
    return dpid;
  }

  @Override
  public Bytes encodeValue(DeviceRecord device) {
    SwitchFeatures features = device.features();
    return new ByteWriter(128)
        .int8(FORMAT)
        .utf8(features.protocol())
        .utf8(features.remoteAddress())
        .utf8(features.manufacturer())
        .utf8(features.hardware())
        .utf8(features.software())
        .utf8(features.serialNumber())
        .utf8(features.datapath())
        .int64(features.buffers())
        .int32(features.tables())
        .flag(device.available())
        .utf8(device.node())
        .int64(device.changedMillis())
        .toBytes();
  }

  @Override
  public DeviceRecord decodeValue(Bytes bytes) {
    ByteReader in = new ByteReader(bytes);
    in.version(FORMAT, "device record");
    SwitchFeatures features =
        new SwitchFeatures(
            in.utf8(MAX_TEXT_BYTES),
            in.utf8(MAX_TEXT_BYTES),
            in.utf8(MAX_TEXT_BYTES),
            in.utf8(MAX_TEXT_BYTES),
            in.utf8(MAX_TEXT_BYTES),
            in.utf8(MAX_TEXT_BYTES),
            in.utf8(MAX_TEXT_BYTES),
            in.int64(),
            in.int32());
    DeviceRecord device =
        new DeviceRecord(features, in.flag(), in.utf8(MAX_NODE_BYTES), in.int64());
    in.end();
    return device;
  }
}
