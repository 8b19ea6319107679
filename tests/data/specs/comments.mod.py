# Comments and blank lines may stand anywhere,
#even so,
#
# and stay where they are.


# This belongs to the first case,

# and this too.
m0_op0 = Input("op0", ["TENSOR_FLOAT32", [1]])
# Between operands: # CONSTANT_REFERENCE: in the middle means nothing.

a_name_of_our_own = Output("op1", ["TENSOR_FLOAT32", [1]])
# Before the model.
M = Model("comments")

M.IdentifyInputs(m0_op0)
# "quotes" and \backslashes
M.IdentifyOutputs(a_name_of_our_own)
M.Operation("FLOOR", m0_op0).To(a_name_of_our_own)

# Before the example: what the driver answered.
Example({m0_op0: [1.5], a_name_of_our_own: [1.0]}, model=M, name="").DisableLifeTimeVariation()
# No blank line before this one.
b = Output("op0", ["TENSOR_FLOAT32", [1]])
B = Model("")
B.IdentifyOutputs(b)
Example({b: [0.0]}, model=B, name="no_inputs").DisableLifeTimeVariation()



# The end.

