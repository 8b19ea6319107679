/* The interface of a driver under test: a shared library that exports one function, `assay_driver`.
 *
 *   assay fuzz --driver ./mine.so
 *
 * Plain C, no dependency. All codes are NNAPI's: operand types, operations, lifetimes as in AssayLifetime, statuses as
 * in AssayStatus. Everything that Assay passes in is valid during the call only, unless said otherwise; every model was
 * validated before. Functions may be called from several threads at once for different prepared models, and for one
 * prepared model if the driver says so (`concurrent_executions`). */
#ifndef ASSAY_DRIVER_H_
#define ASSAY_DRIVER_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Raised when a structure changes in a way that an older driver would misread. */
#define ASSAY_DRIVER_ABI 1

/* NNAPI's ErrorStatus. */
typedef enum AssayStatus {
  ASSAY_NONE = 0,
  ASSAY_DEVICE_UNAVAILABLE = 1,
  ASSAY_GENERAL_FAILURE = 2,
  ASSAY_OUTPUT_INSUFFICIENT_SIZE = 3,
  ASSAY_INVALID_ARGUMENT = 4,
  ASSAY_MISSED_DEADLINE_TRANSIENT = 5,
  ASSAY_MISSED_DEADLINE_PERSISTENT = 6,
  ASSAY_RESOURCE_EXHAUSTED_TRANSIENT = 7,
  ASSAY_RESOURCE_EXHAUSTED_PERSISTENT = 8
} AssayStatus;

typedef enum AssayLifetime {
  ASSAY_TEMPORARY_VARIABLE = 0,
  ASSAY_SUBGRAPH_INPUT = 1,
  ASSAY_SUBGRAPH_OUTPUT = 2,
  ASSAY_CONSTANT_COPY = 3,
  ASSAY_CONSTANT_REFERENCE = 4,
  ASSAY_NO_VALUE = 5,
  ASSAY_SUBGRAPH = 6
} AssayLifetime;

typedef struct AssayOperand {
  int32_t type;         /* NNAPI operand type code */
  int32_t lifetime;     /* AssayLifetime */
  uint32_t rank;        /* number of dims; 0 for scalars, and for tensors of unknown rank */
  const uint32_t* dims; /* 0 = unknown */
  float scale;
  int32_t zero_point;
  uint32_t channel_dim; /* TENSOR_QUANT8_SYMM_PER_CHANNEL */
  uint32_t scale_count; /* 0 for all other types */
  const float* scales;
  const void* value;   /* of a constant, else null; row-major, 64-byte aligned, valid until `release` */
  uint64_t value_size; /* bytes */
  uint32_t subgraph;   /* of a SUBGRAPH operand: index into AssayModel.subgraphs */
} AssayOperand;

typedef struct AssayOperation {
  int32_t code; /* NNAPI operation code */
  uint32_t input_count;
  const uint32_t* inputs; /* operand indices */
  uint32_t output_count;
  const uint32_t* outputs;
} AssayOperation;

typedef struct AssaySubgraph {
  uint32_t operand_count;
  const AssayOperand* operands;
  uint32_t operation_count;
  const AssayOperation* operations; /* in an order in which they can run */
  uint32_t input_count;
  const uint32_t* inputs;
  uint32_t output_count;
  const uint32_t* outputs;
} AssaySubgraph;

typedef struct AssayModel {
  uint32_t subgraph_count;
  const AssaySubgraph* subgraphs; /* the first is the main one */
  int32_t relaxed;                /* float32 may be computed with the range and precision of float16 */
} AssayModel;

typedef struct AssayPrepareOptions {
  int32_t preference;  /* 0 LOW_POWER, 1 FAST_SINGLE_ANSWER, 2 SUSTAINED_SPEED */
  int32_t priority;    /* 0 LOW, 1 MEDIUM, 2 HIGH */
  int64_t deadline_ns; /* from now; negative = none */
} AssayPrepareOptions;

typedef struct AssayInput {
  const void* data; /* null = omitted; aligned to the element size, and often to nothing more */
  uint64_t size;    /* bytes */
  uint32_t rank;
  const uint32_t* dims; /* fully known */
} AssayInput;

/* Room for one more dimension than NNAPI's operations produce. */
#define ASSAY_MAX_RANK 16

typedef struct AssayOutput {
  void* data;    /* aligned to the element size; nothing outside of [data, data + size) may be written */
  uint64_t size; /* bytes */
  uint32_t rank; /* out: what came out, or is needed where `sufficient` is 0 */
  uint32_t dims[ASSAY_MAX_RANK]; /* 0 is an empty dimension; after OUTPUT_INSUFFICIENT_SIZE an unknown one */
  int32_t sufficient;            /* out: 1, or 0 if `size` is too small (then the status is OUTPUT_INSUFFICIENT_SIZE) */
} AssayOutput;

typedef struct AssayExecution {
  uint32_t input_count;
  const AssayInput* inputs; /* in the order of the main subgraph's inputs */
  uint32_t output_count;
  AssayOutput* outputs; /* Assay fills in data, size and the declared dims (0 = unknown) */
  int32_t measure_timing;
  int64_t deadline_ns;        /* from now; negative = none */
  int64_t loop_timeout_ns;    /* of each WHILE; negative = the default of 2 s */
  uint64_t time_on_device_ns; /* out, if measured; UINT64_MAX = unknown (Assay fills that in) */
  uint64_t time_in_driver_ns; /* out, likewise */
} AssayExecution;

typedef struct AssayPerformance {
  int32_t operand_type;
  float execution_time; /* relative to the CPU; below 1 is faster */
  float power_usage;
} AssayPerformance;

typedef struct AssayDriver {
  uint32_t abi;     /* ASSAY_DRIVER_ABI of the header that the driver was compiled with */
  const char* name; /* this structure and all that it points to stay valid until the process ends */
  const char* version;
  int32_t device_type;             /* NNAPI: 1 OTHER, 2 CPU, 3 GPU, 4 ACCELERATOR */
  int32_t feature_level;           /* 1..8: models that need more are never offered */
  int32_t concurrent_executions;   /* may one prepared model be executed from several threads at once? */
  int32_t float16_sums_in_float32; /* declared: float16 tensors are summed in float32 (a stricter bound) */
  uint32_t performance_count;
  const AssayPerformance* performance;
  void* context; /* passed to the first two functions */

  /* Sets supported[i] to 1 or 0 for each operation of the main subgraph. An IF or WHILE counts with its subgraphs. What
   * is claimed here must prepare and execute: a failure then is a finding. */
  int32_t (*supported_operations)(void* context, const AssayModel* model, uint8_t* supported);
  int32_t (*prepare)(void* context, const AssayModel* model, const AssayPrepareOptions* options, void** prepared);
  int32_t (*execute)(void* prepared, AssayExecution* execution);
  void (*release)(void* prepared);
  /* May be null. A sentence about the last failure on this thread, or null. */
  const char* (*last_error)(void* context);
} AssayDriver;

/* The one symbol that a driver exports. Returns null if the device cannot be used. */
const AssayDriver* assay_driver(void);

#ifdef __cplusplus
}
#endif

#endif /* ASSAY_DRIVER_H_ */
