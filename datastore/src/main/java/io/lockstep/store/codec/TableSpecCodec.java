package io.lockstep.store.codec;

import io.lockstep.store.Bytes;
import io.lockstep.store.TableSpec;
import io.lockstep.store.TableSpec.Kind;

/**
 * Encodes and decodes a {@link TableSpec}, also as a value of the table {@code sys.tables}: the
 * kind (1 byte: 1 values, 2 columns, 3 reference, 4 references), then for the last two the target's
 * name.
 */
public final class TableSpecCodec {
  private static final int MAX_NAME_BYTES = 1024;

  private TableSpecCodec() {}

  /** The spec as a value of {@code sys.tables}. */
  public static Bytes encode(TableSpec spec) {
    ByteWriter out = new ByteWriter(32);
    write(out, spec);
    return out.toBytes();
  }

  /**
   * The spec that a value of {@code sys.tables} stands for.
   *
   * @throws CodecException if it is no spec
   */
  public static TableSpec decode(Bytes value) {
    ByteReader in = new ByteReader(value);
    TableSpec spec = read(in);
    in.end();
    return spec;
  }

  /** Writes a spec. */
  public static void write(ByteWriter out, TableSpec spec) {
    out.int8(code(spec.kind()));
    String target = spec.target();
    if (target != null) {
      out.utf8(target);
    }
  }

  /** Reads what {@link #write} wrote. */
  public static TableSpec read(ByteReader in) {
    int at = in.offset();
    int code = in.uint8();
    return switch (code) {
      case 1 -> TableSpec.values();
      case 2 -> TableSpec.columns();
      case 3 -> TableSpec.reference(in.utf8(MAX_NAME_BYTES));
      case 4 -> TableSpec.references(in.utf8(MAX_NAME_BYTES));
      default ->
          throw new CodecException(
              at, "a kind of table (1 to 4), found " + code + ", perhaps of a newer version");
    };
  }

  private static int code(Kind kind) {
    return switch (kind) {
      case VALUES -> 1;
      case COLUMNS -> 2;
      case REFERENCE -> 3;
      case REFERENCES -> 4;
    };
  }
}
