package io.lockstep.bench.etcd;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.TxnRequest;
import io.lockstep.bench.compare.Operation;

/**
 * Requests of etcd. A key is the table's name, a slash, and the key. Procedures become one
 * transaction each, on data laid out as suits it: what a reference leads to is stored under the
 * address itself.
 */
final class Requests {
  private Requests() {}

  static ByteString key(String table, String key) {
    return ByteString.copyFromUtf8(table + "/" + key);
  }

  static ByteString value(byte[] value) {
    return UnsafeByteOperations.unsafeWrap(value);
  }

  /** Reads are linearizable unless asked otherwise. */
  static RangeRequest range(String table, String key) {
    return RangeRequest.newBuilder().setKey(key(table, key)).build();
  }

  static PutRequest put(String table, String key, byte[] value) {
    return PutRequest.newBuilder().setKey(key(table, key)).setValue(value(value)).build();
  }

  /** Counts by writing: a key's version is how often it was written, and comes back. */
  static PutRequest count(String table, String key) {
    return PutRequest.newBuilder().setKey(key(table, key)).setPrevKv(true).build();
  }

  static TxnRequest replace(Operation.ReplaceValue replace) {
    return TxnRequest.newBuilder()
        .addCompare(
            Compare.newBuilder()
                .setKey(key(replace.table(), replace.key()))
                .setTarget(Compare.CompareTarget.VALUE)
                .setResult(Compare.CompareResult.EQUAL)
                .setValue(value(replace.expected())))
        .addSuccess(op(put(replace.table(), replace.key(), replace.value())))
        .build();
  }

  /** The best atomic equivalent of a procedure. */
  static TxnRequest call(Operation.Call call) {
    return switch (call.procedure()) {
      case LEARN ->
          TxnRequest.newBuilder()
              .addSuccess(op(put(Tables.HOSTS, call.key(), call.value())))
              .addSuccess(op(range(Tables.HOSTS, call.other())))
              .build();
      case VIP -> TxnRequest.newBuilder().addSuccess(op(range(Tables.IPS, call.key()))).build();
      case NEXT_MEMBER ->
          TxnRequest.newBuilder()
              .addSuccess(op(count(Tables.POOL_TURNS, call.key())))
              .addSuccess(op(range(Tables.POOL_MEMBERS, call.key())))
              .build();
      case DEVICES ->
          TxnRequest.newBuilder()
              .addSuccess(op(range(Tables.DEVICES, call.key())))
              .addSuccess(op(range(Tables.DEVICES, call.other())))
              .build();
      case SEEN ->
          TxnRequest.newBuilder()
              .addCompare(exists(Tables.DEVICES, call.key()))
              .addSuccess(op(put(Tables.SEEN, call.key(), call.value())))
              .build();
      case CREATE ->
          TxnRequest.newBuilder()
              .addSuccess(op(put(Tables.DEVICES, call.key(), call.value())))
              .addSuccess(op(put(Tables.DEVICE_IPS, call.other(), Tables.ascii(call.key()))))
              .build();
    };
  }

  private static Compare exists(String table, String key) {
    return Compare.newBuilder()
        .setKey(key(table, key))
        .setTarget(Compare.CompareTarget.VERSION)
        .setResult(Compare.CompareResult.GREATER)
        .setVersion(0)
        .build();
  }

  private static RequestOp op(PutRequest put) {
    return RequestOp.newBuilder().setRequestPut(put).build();
  }

  private static RequestOp op(RangeRequest range) {
    return RequestOp.newBuilder().setRequestRange(range).build();
  }
}
